import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@/tests/support/receiver";
import type { Cluster, Node } from "./database";
import type { Process, Product } from "./product";
import { processesIn, signal } from "./programs";

export interface Setting {
  cluster: Cluster;
  product: Product;
}

export interface Fault {
  title: string;
  times: number;
  /** Ends the part early: the fault has had its effect. */
  isEnough?: (setting: Setting) => Promise<boolean>;
  /** Breaks something. @returns repairs it, after writes succeed again */
  strike: (setting: Setting, turn: number) => Promise<() => Promise<unknown>>;
  /** The fault lasts for this time: only its repair ends it. */
  lastsMs?: number;
  /**
   * "all": no request is refused. "reads": no read is refused; writes may be. "nothing": callers reach nothing, so requests may have no answer. By
   * default, each request has an answer.
   */
  survives?: "all" | "reads" | "nothing";
}

const only = async ({ cluster }: Setting, role: "primary" | "synchronous"): Promise<Node> => {
  const node = await until(`a ${role}`, async () => (await cluster.withRole(role))[0], 60);
  return node;
};

/** Kills PostgreSQL, Patroni and etcd of machines. */
async function killMachines(...nodes: Node[]): Promise<() => Promise<void>> {
  const programs = nodes.flatMap(({ program, etcd }) => [program, etcd]);
  await Promise.all(programs.map((program) => program.kill()));
  return async () => {
    for (const program of programs) program.start();
  };
}

interface EtcdStatus {
  leader?: string;
  header: { member_id: string };
}

async function askEtcd<Reply>({ etcdUrl }: Node, path: string, body: object = {}): Promise<Reply | null> {
  const reply = await fetch(`${etcdUrl}/v3/maintenance/${path}`, { method: "POST", body: JSON.stringify(body) }).catch(
    () => null,
  );
  return reply?.ok ? ((await reply.json()) as Reply) : null;
}

/** The node whose etcd leads: without it, the two others first choose another leader. */
async function withLeadingEtcd({ cluster }: Setting): Promise<Node> {
  return until("a leading etcd", async () => {
    for (const node of cluster.nodes) {
      const status = await askEtcd<EtcdStatus>(node, "status");
      if (status?.leader && status.leader === status.header.member_id) return node;
    }
    return null;
  });
}

/** Makes the etcd of this node lead. */
async function makeEtcdLead(setting: Setting, node: Node): Promise<void> {
  await until("the etcd to lead", async () => {
    const leading = await withLeadingEtcd(setting);
    if (leading.name === node.name) return true;
    const targetID = (await askEtcd<EtcdStatus>(node, "status"))?.header.member_id;
    await askEtcd(leading, "transfer-leadership", { targetID });
    return null;
  });
}

/** With SIGSTOP, stops what sends the primary's log to standbys, as a failing network does. */
function signalReplication(node: Node, name: "SIGSTOP" | "SIGCONT"): void {
  for (const pid of processesIn(node.data)) if (/walsender/.test(commandOf(pid))) signal(pid, name);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // it has just ended
  }
}

async function killProcess(one: Process | undefined): Promise<() => Promise<void>> {
  await one?.kill();
  return async () => one?.start();
}

/** The faults, by the name that selects them. */
export const faults = {
  primary: {
    title: "the primary's machine killed, every other time two seconds after its replication stopped",
    times: 5,
    strike: async (setting, turn) => {
      const node = await only(setting, "primary");
      if (turn % 2 === 1) {
        signalReplication(node, "SIGSTOP");
        await sleep(2_000);
      }
      return killMachines(node);
    },
  },
  frozen: {
    title: "the primary's machine frozen for 30 seconds",
    times: 3,
    lastsMs: 30_000,
    strike: async (setting) => {
      const { program, etcd } = await only(setting, "primary");
      for (const one of [program, etcd]) one.freeze();
      return async () => {
        for (const one of [program, etcd]) one.thaw();
      };
    },
  },
  patroni: {
    title: "Patroni of the primary frozen for 40 seconds, while its PostgreSQL runs on",
    times: 2,
    lastsMs: 40_000,
    strike: async (setting) => {
      const { name, program } = await only(setting, "primary");
      program.signal("SIGSTOP");
      return async () => {
        const next = await only(setting, "primary");
        program.signal("SIGCONT");
        if (next.name === name) throw new Error("No standby has taken over.");
      };
    },
  },
  standby: {
    title: "a standby's machine killed; its etcd does not lead",
    times: 5,
    survives: "all",
    strike: async (setting) => {
      await makeEtcdLead(setting, await only(setting, "primary"));
      return killMachines(await only(setting, "synchronous"));
    },
  },
  leader: {
    title: "a standby's machine killed, with the leading etcd",
    times: 3,
    survives: "reads",
    strike: async (setting) => {
      const node = await only(setting, "synchronous");
      await makeEtcdLead(setting, node);
      return killMachines(node);
    },
  },
  etcd: {
    title: "the leading one of three etcd killed, for 30 seconds",
    times: 3,
    lastsMs: 30_000,
    survives: "all",
    strike: async (setting) => {
      const { etcd } = await withLeadingEtcd(setting);
      await etcd.kill();
      return async () => etcd.start();
    },
  },
  etcds: {
    title: "all three etcd killed, for 30 seconds",
    times: 1,
    lastsMs: 30_000,
    strike: async ({ cluster }) => {
      await Promise.all(cluster.nodes.map(({ etcd }) => etcd.kill()));
      return async () => {
        for (const { etcd } of cluster.nodes) etcd.start();
      };
    },
  },
  proxy: {
    title: "the proxy killed, for 2 seconds",
    times: 1,
    lastsMs: 2_000,
    survives: "nothing",
    strike: async ({ cluster }) => {
      await cluster.proxy.kill();
      return async () => cluster.proxy.start();
    },
  },
  reload: {
    title: "the proxy reloaded",
    times: 3,
    lastsMs: 30_000,
    survives: "all",
    strike: async ({ cluster }) => {
      cluster.proxy.signal("SIGUSR2"); // as systemd does
      return async () => undefined;
    },
  },
  replication: {
    title: "no standby receives the primary's log for 30 seconds",
    times: 1,
    lastsMs: 30_000,
    survives: "reads",
    strike: async (setting) => {
      const primary = await only(setting, "primary");
      // A standby that hears nothing connects again.
      const timer = setInterval(() => signalReplication(primary, "SIGSTOP"), 100);
      return async () => {
        clearInterval(timer);
        signalReplication(primary, "SIGCONT");
      };
    },
  },
  worker: {
    title: "a worker killed",
    times: 10,
    strike: ({ product }, turn) => killProcess(product.of("worker")[turn % 2]),
  },
  web: {
    title: "a web process killed",
    times: 10,
    strike: ({ product }, turn) => killProcess(product.of("web")[turn % 2]),
  },
  standbys: {
    title: "PostgreSQL of both standbys killed, for 20 seconds",
    times: 1,
    lastsMs: 20_000,
    survives: "reads",
    strike: async ({ cluster }) => {
      const [primary] = await cluster.withRole("primary");
      const standbys = cluster.nodes.filter(({ name }) => name !== primary?.name);
      await Promise.all(standbys.map(({ program }) => program.kill()));
      return async () => {
        for (const { program } of standbys) program.start();
      };
    },
  },
  machines: {
    title: "both standbys' machines killed, for 30 seconds: the third etcd has no majority",
    times: 1,
    lastsMs: 30_000,
    strike: async ({ cluster }) => {
      const [primary] = await cluster.withRole("primary");
      return killMachines(...cluster.nodes.filter(({ name }) => name !== primary?.name));
    },
  },
} satisfies Record<string, Fault>;

/** For the negative control: with etcd's version 3, Debian's Patroni takes the lead again without asking who has it. */
export function freezeWithEtcd3(): Fault {
  let frozen: Node | undefined;
  return {
    title: "etcd's version 3: the primary's machine frozen for 30 seconds, its etcd for 33, until it leads again",
    times: 10, // it leads again only if it acts before it has heard of the new leader
    lastsMs: 30_000,
    strike: async (setting) => {
      frozen = await only(setting, "primary");
      const { program, etcd } = frozen;
      for (const one of [program, etcd]) one.freeze();
      return async () => {
        program.thaw();
        await sleep(3_000);
        etcd.thaw();
      };
    },
    isEnough: async (setting) => (await only(setting, "primary")).name === frozen?.name,
  };
}

/** For the negative control: asynchronous replication loses what its standbys have not received. */
export const strikeAsynchronous: Fault = {
  title: "asynchronous replication: the primary's machine killed, two seconds after its replication stopped",
  times: 2,
  strike: async (setting) => faults.primary.strike(setting, 1),
};
