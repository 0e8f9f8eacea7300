import { chmodSync, chownSync, mkdirSync, mkdtempSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { serverAccount } from "@/server/postgres-binaries";
import { freePort } from "@/tests/support/launch";
import { until } from "@/tests/support/receiver";
import { type Program, program, startReaper, variablesOf } from "./programs";

const deploy = join(process.cwd(), "deploy/cluster");
const secret = "first-secret"; // as in deploy/cluster/patroni.env

export interface Node {
  name: string;
  program: Program;
  /** PostgreSQL's folder. */
  data: string;
  /** Of Patroni's REST API. */
  api: string;
  /** The etcd of its machine. */
  etcd: Program;
  etcdUrl: string;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/**
 * Starts three PostgreSQL nodes with Patroni and etcd, and HAProxy, on loopback, from the files of deploy/cluster.
 * @param etcd3 Patroni speaks etcd's version 3, unlike the files
 */
export async function startCluster(web: [number, number], { etcd3 = false } = {}) {
  const as = await serverAccount();
  const root = mkdtempSync(join(tmpdir(), "paydesk-cluster-"));
  chmodSync(root, 0o755);
  const reaper = startReaper(root);
  const folder = (name: string) => {
    const path = join(root, name);
    mkdirSync(path);
    if (as) chownSync(path, as.uid, as.gid);
    return path;
  };
  const work = folder("work");

  const names = ["db1", "db2", "db3"];
  const etcdPorts = new Map<string, { client: string; peer: string }>();
  for (const name of names)
    etcdPorts.set(name, { client: `127.0.0.1:${await freePort()}`, peer: `127.0.0.1:${await freePort()}` });
  const members = [...etcdPorts].map(([name, { peer }]) => `${name}=http://${peer}`).join(",");
  const startEtcd = (name: string): Program => {
    const { client, peer } = etcdPorts.get(name) as { client: string; peer: string };
    const env = variablesOf(join(deploy, "etcd.env"), {
      ETCD_NAME: name,
      ETCD_DATA_DIR: folder(`etcd-${name}`),
      ETCD_LISTEN_CLIENT_URLS: `http://${client}`,
      ETCD_ADVERTISE_CLIENT_URLS: `http://${client}`,
      ETCD_LISTEN_PEER_URLS: `http://${peer}`,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://${peer}`,
      ETCD_INITIAL_CLUSTER: members,
    });
    const etcd = program(["etcd"], { as, env: { ...env, ...reaper.env }, log: join(root, `etcd-${name}.log`) });
    etcd.start();
    return etcd;
  };

  const ports: [postgres: number, api: number][] = [];
  const nodes: Node[] = [];
  for (const name of names) {
    const [postgres, api] = [await freePort(), await freePort()];
    ports.push([postgres, api]);
    const data = join(folder(name), "data");
    const { PATRONI_ETCD_HOSTS = "", ...env } = variablesOf(join(deploy, "patroni.env"), {
      PATRONI_NAME: name,
      PATRONI_ETCD_HOSTS: [...etcdPorts.values()].map(({ client }) => client).join(","),
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${api}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${api}`,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${postgres}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${postgres}`,
      PATRONI_POSTGRESQL_DATA_DIR: data,
      PATRONI_POSTGRESQL_PGPASS: join(work, `pgpass-${name}`),
    });
    const command = ["patroni", join(deploy, "patroni.yml")];
    const etcdHosts = { [etcd3 ? "PATRONI_ETCD3_HOSTS" : "PATRONI_ETCD_HOSTS"]: PATRONI_ETCD_HOSTS };
    nodes.push({
      name,
      data,
      api: `http://127.0.0.1:${api}`,
      etcd: startEtcd(name),
      etcdUrl: `http://${etcdPorts.get(name)?.client}`,
      program: program(command, {
        as,
        env: { ...env, ...etcdHosts, ...reaper.env },
        log: join(root, `${name}.log`),
        folder: data,
      }),
    });
  }

  const [webPort, postgresPort] = [await freePort(), await freePort()];
  const socket = join(work, "haproxy.sock");
  // Without TLS: callers speak HTTP.
  const { CERTIFICATE, ...proxyVariables } = variablesOf(join(deploy, "haproxy.env"), {
    WEB_LISTEN: `127.0.0.1:${webPort}`,
    WEB1: `127.0.0.1:${web[0]}`,
    WEB2: `127.0.0.1:${web[1]}`,
    POSTGRES_LISTEN: `127.0.0.1:${postgresPort}`,
    ...Object.fromEntries(
      ports.flatMap(([postgres, api], index) => [
        [`DB${index + 1}`, `127.0.0.1:${postgres}`],
        [`DB${index + 1}_API`, String(api)],
      ]),
    ),
    ADMIN_SOCKET: socket,
    REFUSED: join(deploy, "503.http"),
  });
  const proxy = program(["haproxy", "-W", "-db", "-f", join(deploy, "haproxy.cfg")], {
    as,
    log: join(root, "haproxy.log"),
    env: { ...proxyVariables, ...reaper.env, KEEP_USER: "1" },
  });
  const address = (user: string, password: string, database: string, port = postgresPort) =>
    `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`;

  async function withRole(role: "primary" | "synchronous"): Promise<Node[]> {
    const found = await Promise.all(
      nodes.map(({ api }) =>
        fetch(`${api}/${role}`, { signal: AbortSignal.timeout(2_000) }).then(
          ({ status }) => status === 200,
          () => false,
        ),
      ),
    );
    return nodes.filter((_, index) => found[index]);
  }
  let isSynchronous = true;
  /** Waits until all nodes run, and the primary's commits are confirmed by both standbys. */
  async function whole(seconds = 120): Promise<void> {
    const isWhole = async () => {
      const [primary] = await withRole("primary");
      if (!primary || (await withRole("synchronous")).length !== (isSynchronous ? 2 : 0)) return false;
      const reply = await fetch(`${primary.api}/cluster`).catch(() => null);
      const { members = [] } = ((await reply?.json()) ?? {}) as { members?: { state: string; lag?: unknown }[] };
      return members.length === 3 && members.every(({ state, lag }) => state === "running" && lag !== "unknown");
    };
    await until("three running nodes", isWhole, seconds);
  }
  /** From then on, commits wait for no standby. */
  async function makeAsynchronous(): Promise<void> {
    const [primary] = await withRole("primary");
    const body = JSON.stringify({ synchronous_mode: false, synchronous_mode_strict: false });
    const reply = await fetch(`${primary?.api}/config`, { method: "PATCH", body });
    if (!reply.ok) throw new Error(`Patroni refused the configuration: ${reply.status}`);
    isSynchronous = false;
    await whole();
  }

  nodes[0]?.program.start();
  await until("a first primary", async () => (await withRole("primary")).length === 1, 120);
  for (const { program } of nodes.slice(1)) program.start();
  proxy.start();
  await whole();
  await query(address("postgres", secret, "postgres"), "CREATE ROLE paydesk LOGIN PASSWORD 'first'");
  await query(address("postgres", secret, "postgres"), "CREATE ROLE paydesk_app LOGIN PASSWORD 'second'");
  await query(address("postgres", secret, "postgres"), "CREATE DATABASE paydesk OWNER paydesk");

  return {
    root,
    /** For the environment of processes that end with the cluster. */
    env: reaper.env,
    url: `http://127.0.0.1:${webPort}`,
    ownerUrl: address("paydesk", "first", "paydesk"),
    databaseUrl: address("paydesk_app", "second", "paydesk"),
    superuserUrl: address("postgres", secret, "paydesk"),
    nodes,
    proxy,
    withRole,
    whole,
    makeAsynchronous,
    /** Sends a command to HAProxy, such as `set server web/web1 state drain`. */
    command: (text: string) => tellProxy(socket, text),
    async stop(): Promise<void> {
      for (const one of [proxy, ...nodes.flatMap(({ program, etcd }) => [program, etcd])]) await one.kill();
      await reaper.stop();
    },
  };
}

export async function query(url: string, sql: string) {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

function tellProxy(socket: string, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const connection = createConnection(socket, () => connection.write(`${text}\n`));
    let answer = "";
    connection.on("data", (chunk) => {
      answer += chunk.toString();
    });
    connection.on("error", reject);
    connection.on("close", () => (answer.trim() === "" ? resolve() : reject(new Error(answer))));
  });
}
