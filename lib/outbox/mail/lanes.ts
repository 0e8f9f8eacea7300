import { db, Prisma, queryRows } from "@/lib/core/db";

/**
 * A queue of its own for each business's payers, and one for its staff: who has much to send delays nobody else. Whose turn
 * it is, each process keeps for itself; any number of them may.
 */
export interface Lane {
  business_id: number;
  staff: boolean;
}

/** So many of one lane are claimed. */
export interface Share extends Lane {
  most: number;
}

/** Of what is claimed at once, so much is kept for payers while mails to staff go first. */
const keptForPayers = 2;

/**
 * Lanes with something due. Goes from lane to lane along the index of what is queued, so it costs as much as there are lanes
 * with something queued, however much that is.
 */
function findDue(): Promise<Lane[]> {
  return queryRows(
    db,
    Prisma.sql`
    WITH RECURSIVE waiting AS (
      (SELECT staff, business_id FROM email WHERE status = 'queued' ORDER BY staff, business_id LIMIT 1)
      UNION ALL
      SELECT further.staff, further.business_id
        FROM waiting w CROSS JOIN LATERAL (
          SELECT e.staff, e.business_id FROM email e
           WHERE e.status = 'queued' AND (e.staff, e.business_id) > (w.staff, w.business_id)
           ORDER BY e.staff, e.business_id LIMIT 1) AS further)
    SELECT w.staff, w.business_id FROM waiting w
     WHERE EXISTS (SELECT FROM email e
                    WHERE e.status = 'queued' AND e.staff = w.staff AND e.business_id = w.business_id
                      AND e.next_attempt_at <= statement_timestamp())`,
  );
}

const name = ({ staff, business_id }: Lane): string => `${staff ? "staff" : "payers"} ${business_id}`;

/** Whose turn it is. */
export class Turns {
  /** In their order; whoever had a turn goes to the end. */
  private readonly lanes = new Map<string, Lane>();

  /** Looks who has something due. Those that are known keep their places. */
  async look(): Promise<void> {
    for (const lane of await findDue()) if (!this.lanes.has(name(lane))) this.lanes.set(name(lane), lane);
  }

  get none(): boolean {
    return this.lanes.size === 0;
  }

  /** How many to claim of each lane: one each in turn, staff first, as long as there is room. */
  shares(room: number): Share[] {
    const lanes = [...this.lanes.values()];
    const payers = lanes.filter(({ staff }) => !staff);
    const first = deal(
      lanes.filter(({ staff }) => staff),
      payers.length > 0 ? room - keptForPayers : room,
    );
    const taken = first.reduce((sum, { most }) => sum + most, 0);
    return [...first, ...deal(payers, room - taken)];
  }

  /** Who got less than there was room for has no more, until the next look; the others go to the end. */
  took(shares: Share[], claimed: Lane[]): void {
    const counts = new Map<string, number>();
    for (const lane of claimed) counts.set(name(lane), (counts.get(name(lane)) ?? 0) + 1);
    for (const share of shares) {
      const { business_id, staff, most } = share;
      this.lanes.delete(name(share));
      if ((counts.get(name(share)) ?? 0) >= most) this.lanes.set(name(share), { business_id, staff });
    }
  }
}

function deal(lanes: Lane[], room: number): Share[] {
  const shares = lanes.slice(0, room).map((lane) => ({ ...lane, most: 0 }));
  for (let left = shares.length > 0 ? room : 0; left > 0; )
    for (const share of shares.slice(0, left)) {
      share.most++;
      left--;
    }
  return shares;
}
