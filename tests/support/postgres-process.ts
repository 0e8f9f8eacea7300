// Runs the shared PostgreSQL as a process of its own: prints its address, and stops it when standard input ends. Started by npm test.
import startSharedPostgres from "./postgres";

// Ctrl-C reaches every process of the terminal; this one ends after the one that started it, through its standard input.
process.on("SIGINT", () => undefined);
const stop = await startSharedPostgres();
console.log(process.env.TEST_POSTGRES);
process.stdin.resume().on("end", () => void stop().then(() => process.exit(0)));
