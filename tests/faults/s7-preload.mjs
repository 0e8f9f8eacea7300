// Preloaded into the server under test: it resolves names at the test's DNS server.
import { setServers } from "node:dns";

setServers([process.env.TEST_DNS]);
