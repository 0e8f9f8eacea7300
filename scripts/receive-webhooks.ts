import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { Webhook } from "standardwebhooks";

const usage = `Usage:
  npm run -s receive -- --port 4010 --secret whsec_...

Receives webhooks at http://localhost:4010, verifies their signatures, and prints one line per event. With several --secret
options, one of them must match. Ctrl-C stops it.`;

function fail(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}

function read(): { port: number; verifiers: Webhook[] } {
  try {
    const options = { port: { type: "string", default: "4010" }, secret: { type: "string", multiple: true } } as const;
    const { port, secret = [] } = parseArgs({ options }).values;
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return fail("--port must be a port number.");
    if (secret.length === 0)
      return fail("--secret is missing: the endpoint's signing secret (whsec_...), shown when it was created.");
    return { port: Number(port), verifiers: secret.map((value) => new Webhook(value)) };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

interface Event {
  type: string;
  resource_id: string;
  sample?: true;
}

function verify(verifiers: Webhook[], body: string, headers: Record<string, string>): Event | null {
  for (const verifier of verifiers) {
    try {
      return verifier.verify(body, headers) as Event;
    } catch {}
  }
  return null;
}

const { port, verifiers } = read();
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = request.headers as Record<string, string>;
  const event = verify(verifiers, Buffer.concat(chunks).toString(), headers);
  const id = headers["webhook-id"] ?? "";
  response.writeHead(event ? 204 : 401).end();
  const time = new Date().toISOString().slice(11, 19);
  if (!event) return console.log(`${time}  refused: the signature does not match`);
  const notes = [event.sample && "sample", seen.has(id) && "again"].filter(Boolean).join(", ");
  seen.add(id);
  console.log(`${time}  ${event.type.padEnd(28)} ${event.resource_id}  ${id}${notes && `  (${notes})`}`);
});
server.on("error", (error) => fail(error.message));
server.listen(port, "localhost", () => console.log(`Listening at http://localhost:${port}`));
