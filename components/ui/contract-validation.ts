import "@/lib/client/jitless";
import { zodResolver } from "@hookform/resolvers/zod";
import type { FieldValues } from "react-hook-form";
import type { z } from "zod";
import { fieldMessage } from "@/lib/http/validation";

/** In a file of its own, because it loads with a form's first validation. */
export const resolverOf = (schema: z.ZodType<FieldValues, FieldValues>) =>
  zodResolver(schema, { error: fieldMessage }, { raw: true });
