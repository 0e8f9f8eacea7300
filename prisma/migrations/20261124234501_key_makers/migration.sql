-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "allowed_ips" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "created_by" TEXT,
ADD COLUMN     "reminded_at" TIMESTAMPTZ(6);

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "staff_user"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE api_key ALTER COLUMN allowed_ips SET NOT NULL;

-- The audit log names who created or rotated a key. A key's keys have its creator. Keys of people who have left keep working,
-- without a creator.
WITH RECURSIVE
  made (key, actor_type, actor_id) AS (
    SELECT resource_id, actor_type, actor_id FROM audit_entry WHERE action = 'api_key.created'
    UNION ALL
    SELECT after ->> 'key', actor_type, actor_id FROM audit_entry WHERE action = 'api_key.rotated'),
  creator (key, person) AS (
    SELECT key, actor_id FROM made WHERE actor_type = 'user'
    UNION
    SELECT m.key, c.person FROM made m JOIN creator c ON c.key = m.actor_id WHERE m.actor_type = 'api_key')
UPDATE api_key k SET created_by = c.person
  FROM creator c JOIN membership m ON m.user_id = c.person
 WHERE k.id = c.key AND m.business_id = k.business_id;

-- The job that reminds of expiring keys.
CREATE INDEX api_key_to_remind ON api_key (expires_at)
 WHERE reminded_at IS NULL AND revoked_at IS NULL AND replaced_by IS NULL;
