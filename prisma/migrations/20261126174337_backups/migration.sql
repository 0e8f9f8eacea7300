-- CreateTable
CREATE TABLE "backup" (
    "id" SERIAL NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "finished_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "file" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "encrypted" BOOLEAN NOT NULL,

    CONSTRAINT "backup_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "database_restore" (
    "id" SERIAL NOT NULL,
    "backup_at" TIMESTAMPTZ(6) NOT NULL,
    "restored_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "released_at" TIMESTAMPTZ(6),

    CONSTRAINT "database_restore_pkey" PRIMARY KEY ("id")
);
