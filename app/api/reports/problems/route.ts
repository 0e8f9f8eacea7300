import { handle, methods } from "@/lib/http/handle";
import { newestProblems } from "@/lib/resources/reports/attention";
import { problemEndpoints } from "@/lib/resources/reports/problems-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(problemEndpoints.problems, ({ actor, tx }) => newestProblems(tx, actor)),
);
