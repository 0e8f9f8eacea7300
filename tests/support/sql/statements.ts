import type { Expression, Node } from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import { Branches } from "./branches";
import { type Definition, SqlEvaluator } from "./evaluator";
import { SourceProgram } from "./program";

export interface Statement {
  /** Such as `lib/http/list.ts: count`. */
  place: string;
  texts: string[];
  /** The expressions that could not be evaluated. */
  unresolved: string[];
}

/** They send the SQL of `queryRows`, `lookUp` and `execute`. */
const senders = [
  "lib/core/db.ts: query",
  "lib/core/db.ts: lookUp",
  "lib/core/pipeline.ts: openPipeline",
  "lib/core/pipeline.ts: openLane",
];

/**
 * Finds every SQL statement that the sources send to the database.
 * @returns the statements, and the places of SQL templates that are in no statement
 */
export async function findStatements(): Promise<{ statements: Statement[]; unreached: string[] }> {
  const program = new SourceProgram();
  try {
    const definitions = new Map<string, Definition>();
    const keyOf = (file: string, name: string) => `${file}#${name}`;
    for (const { fileName } of program.files.filter(({ fileName }) => fileName.endsWith("/resource.ts"))) {
      const exported: Record<string, unknown> = await import(fileName);
      for (const [name, value] of Object.entries(exported))
        if (typeof value === "object" && value !== null && "ownedBy" in value)
          definitions.set(keyOf(fileName, name), value as Definition);
    }
    const branches = new Branches();
    const evaluator = new SqlEvaluator(program, branches, (node) =>
      is.isVariableDeclaration(node)
        ? definitions.get(keyOf(node.getSourceFile().fileName, node.name.getText()))
        : undefined,
    );
    const statements: Statement[] = [];
    const templates: Node[] = [];
    const visit = (node: Node): void => {
      if (is.isTaggedTemplateExpression(node) && node.tag.getText() === "Prisma.sql") templates.push(node);
      const statement = statementAt(node, evaluator);
      const place = statement ? program.placeOf(node) : "";
      if (statement && !senders.includes(place)) statements.push({ place, ...branches.explore(statement) });
      node.forEachChild(visit);
    };
    for (const file of program.files) visit(file);
    const unreached = templates.filter((node) => !evaluator.reached.has(node)).map((node) => program.placeOf(node));
    return { statements, unreached: [...new Set(unreached)] };
  } finally {
    program.close();
  }
}

/** Evaluates the statement that a call sends; undefined for other nodes. */
function statementAt(node: Node, evaluator: SqlEvaluator): (() => string) | undefined {
  const of = (sql: Expression | undefined) => sql && (() => evaluator.statement(sql));
  if (is.isTaggedTemplateExpression(node))
    return /\.\$(query|execute)Raw$/.test(node.tag.getText()) ? of(node) : undefined;
  if (!is.isCallExpression(node)) return undefined;
  const { expression, arguments: args } = node;
  const callee = expression.getText();
  if (["queryRows", "planAndQueryRows", "lookUp", "execute"].includes(callee)) return of(args[1]);
  if (callee === "readRows") return of(args[0]); // of lib/ledger/read-all.ts
  if (/\.(query|\$(query|execute)RawUnsafe|\$(query|execute)Raw)$/.test(callee)) return of(args[0]);
  const definition = is.isPropertyAccessExpression(expression) && evaluator.definition(expression.expression);
  if (!definition) return undefined;
  switch (expression.name.text) {
    case "get":
    case "list": {
      const conditions = args[3];
      return conditions && (() => evaluator.select(definition, conditions));
    }
    case "inserting":
      return args[0] && (() => evaluator.insert(definition, args[0] as Expression));
    case "insert":
      return args[1] && (() => evaluator.insert(definition, args[1] as Expression));
    case "update":
      return args[3] && (() => evaluator.update(definition, args[3] as Expression, args[4]));
    default:
      return undefined;
  }
}
