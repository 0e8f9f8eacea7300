import { z } from "zod";

// The pages' Content-Security-Policy forbids eval; without this zod probes for it and the browser reports a violation.
z.config({ jitless: true });
