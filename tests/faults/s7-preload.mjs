// Into the server under test, before it starts: names are asked of the test's own name server.
import { setServers } from "node:dns";

setServers([process.env.TEST_DNS]);
