import {
  type Expression,
  type FunctionLikeDeclaration,
  type Identifier,
  type Node,
  type ParameterDeclaration,
  SyntaxKind,
} from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import type { Prisma } from "@/lib/core/db";
import type { Branches } from "./branches";
import type { SourceProgram } from "./program";
import {
  atRuntime,
  Callable,
  callArrayMethod,
  DeadPath,
  entriesOf,
  Fields,
  Fragment,
  Items,
  type Lazy,
  parameter,
  property,
  runtime,
  Unresolved,
  type Value,
} from "./values";

/** A resource definition, which builds its SQL at run time. */
export interface Definition {
  definition: { table: string };
  columns(now: Date): Prisma.Sql;
  ownedBy(owner: never): Prisma.Sql;
}

const anyOwner = { businessId: 1, livemode: false, userId: "usr_none" } as never;

/** The arguments of the functions being evaluated. */
type Scope = ReadonlyMap<Node, Lazy>;
const outside: Scope = new Map();

const equalities = [SyntaxKind.EqualsEqualsEqualsToken, SyntaxKind.ExclamationEqualsEqualsToken];
const arrayMethods = ["map", "flatMap", "filter", "join"];

/**
 * Evaluates the sources' SQL without running it. Follows constants, functions, and the callers of the function around a
 * statement. Takes each branch of a condition that is only known at run time.
 */
export class SqlEvaluator {
  /** The SQL templates that were part of a statement. */
  readonly reached = new Set<Node>();

  constructor(
    readonly program: SourceProgram,
    readonly branches: Branches,
    /** Finds the definition that a declaration makes. */
    readonly definitionOf: (declaration: Node) => Definition | undefined,
  ) {}

  /** The SQL text of an expression: SQL, a string, or an object with a `text`. */
  statement(expression: Expression): string {
    this.#reach(expression);
    const value = this.#evaluate(expression, outside);
    const text = value instanceof Fields ? value.get("text") : value;
    if (text instanceof Fragment) return text.statement;
    if (typeof text === "string") return text;
    throw new Unresolved(expression);
  }

  insert({ columns, definition }: Definition, values: Expression): string {
    const returned = Fragment.of(columns(new Date())).text;
    const written = this.#written("inserted", values).text;
    return new Fragment(`INSERT INTO ${definition.table} ${written} RETURNING ${returned}`).statement;
  }

  update({ columns, ownedBy, definition }: Definition, set: Expression, condition?: Expression): string {
    const sql = (expression: Expression): string => {
      const value = this.#evaluate(expression, outside);
      if (!(value instanceof Fragment)) throw new Unresolved(expression);
      return value.text;
    };
    const where = [`id = ${parameter}`, Fragment.of(ownedBy(anyOwner)).text, ...(condition ? [sql(condition)] : [])];
    const returned = Fragment.of(columns(new Date())).text;
    return new Fragment(`UPDATE ${definition.table} SET ${sql(set)} WHERE ${where.join(" AND ")} RETURNING ${returned}`)
      .statement;
  }

  /** The statement of a definition's `get` or `list`, with the caller's conditions. */
  select({ columns, ownedBy, definition }: Definition, conditions: Expression): string {
    const value = this.#evaluate(conditions, outside);
    const isList = value instanceof Items;
    const more = isList ? value.all.map((item) => item()) : [value];
    if (!more.every((condition) => condition instanceof Fragment)) throw new Unresolved(conditions);
    const where = [Fragment.of(ownedBy(anyOwner)), ...more].map(({ text }) => text).join(isList ? " AND " : " ");
    const selected = Fragment.of(columns(new Date())).text;
    return new Fragment(`SELECT ${selected} FROM ${definition.table} WHERE ${where}`).statement;
  }

  /** Drops paths on which an enclosing `if (kind === "...")` is not taken. */
  #reach(statement: Node): void {
    for (let inner = statement, at = inner.parent; at && !is.isSourceFile(at); inner = at, at = at.parent) {
      if (!is.isIfStatement(at) || inner === at.expression || !is.isBinaryExpression(at.expression)) continue;
      if (!equalities.includes(at.expression.operatorToken.kind)) continue;
      const isThen = inner === at.thenStatement;
      if (this.#isTrue(at.expression, outside, isThen) !== isThen) throw new DeadPath();
    }
  }

  definition(node: Node): Definition | undefined {
    const declaration = is.isIdentifier(node) ? this.program.declarationOf(node) : undefined;
    return declaration && this.definitionOf(declaration);
  }

  #evaluate(node: Node, scope: Scope): Value {
    switch (node.kind) {
      case SyntaxKind.TrueKeyword:
        return true;
      case SyntaxKind.FalseKeyword:
        return false;
      case SyntaxKind.NullKeyword:
        return null;
    }
    if (
      is.isParenthesizedExpression(node) ||
      is.isAsExpression(node) ||
      is.isSatisfiesExpression(node) ||
      is.isNonNullExpression(node) ||
      is.isAwaitExpression(node)
    )
      return this.#evaluate(node.expression, scope);
    if (is.isStringLiteral(node) || is.isNoSubstitutionTemplateLiteral(node)) return node.text;
    if (is.isNumericLiteral(node)) return Number(node.text);
    if (is.isTemplateExpression(node)) {
      const values = node.templateSpans.map((span) => this.#evaluate(span.expression, scope));
      if (!values.every((value) => typeof value === "string" || typeof value === "number")) return runtime;
      return (
        node.head.text + node.templateSpans.map(({ literal }, index) => `${values[index]}${literal.text}`).join("")
      );
    }
    if (is.isTaggedTemplateExpression(node)) return this.#template(node, scope);
    if (is.isConditionalExpression(node))
      return this.#evaluate(this.#isTrue(node.condition, scope) ? node.whenTrue : node.whenFalse, scope);
    if (is.isBinaryExpression(node)) return this.#binary(node.left, node.operatorToken.kind, node.right, scope);
    if (is.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
      const value = this.#evaluate(node.operand, scope);
      return value === runtime ? runtime : !value;
    }
    if (is.isIdentifier(node)) return this.#identifier(node, scope);
    if (is.isPropertyAccessExpression(node)) {
      if (node.getText() === "Prisma.empty") return new Fragment("");
      return this.#orText(node, () => property(this.#evaluate(node.expression, scope), node.name.text));
    }
    if (is.isElementAccessExpression(node)) {
      const key = this.#evaluate(node.argumentExpression, scope);
      return property(this.#evaluate(node.expression, scope), String(key));
    }
    if (is.isObjectLiteralExpression(node)) return this.#object(node.properties, scope);
    if (is.isArrayLiteralExpression(node)) return this.#array(node.elements, scope);
    if (is.isArrowFunction(node) || is.isFunctionExpression(node) || is.isFunctionDeclaration(node))
      return new Callable((args) => this.#apply(node, args, scope));
    if (is.isCallExpression(node)) return this.#call(node.expression, node.arguments, scope);
    return runtime;
  }

  /** The SQL of a template: fragments are inserted, other values become parameters. */
  #template(node: Node, scope: Scope): Fragment {
    if (!is.isTaggedTemplateExpression(node)) throw new Unresolved(node);
    this.reached.add(node);
    const { template } = node;
    if (is.isNoSubstitutionTemplateLiteral(template)) return new Fragment(template.text);
    const spans = template.templateSpans.map(({ expression, literal }) => {
      if (!/\b(Sql|any|unknown)\b/.test(this.program.typeOf(expression))) return parameter + literal.text;
      const value = this.#evaluate(expression, scope);
      if (!(value instanceof Fragment)) throw new Unresolved(expression);
      return value.text + literal.text;
    });
    return new Fragment(template.head.text + spans.join(""));
  }

  /** @param unknown the result for a condition that is only known at run time; by default both */
  #isTrue(condition: Node, scope: Scope, unknown?: boolean): boolean {
    let value: Value = runtime;
    try {
      value = this.#evaluate(condition, scope);
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error;
    }
    if (value !== runtime) return Boolean(value);
    if (unknown !== undefined) return unknown;
    const of = is.isIdentifier(condition) ? this.program.declarationOf(condition) : condition;
    return this.branches.choose(2, of) === 0;
  }

  #binary(left: Expression, operator: SyntaxKind, right: Expression, scope: Scope): Value {
    const value = this.#evaluate(left, scope);
    if (equalities.includes(operator)) {
      const other = this.#evaluate(right, scope);
      if (value === runtime || other === runtime) return runtime;
      const isSame =
        value instanceof Fragment && other instanceof Fragment ? value.text === other.text : value === other;
      return isSame === (operator === SyntaxKind.EqualsEqualsEqualsToken);
    }
    const isUnknown = value === runtime;
    // A condition that is only known at run time matters only if it guards SQL.
    if (isUnknown && !/\bSql\b/.test(this.program.typeOf(right))) return runtime;
    const isSet = isUnknown ? this.branches.choose(2, left) === 0 : undefined;
    switch (operator) {
      case SyntaxKind.AmpersandAmpersandToken:
        return (isSet ?? value) ? this.#evaluate(right, scope) : isUnknown ? false : value;
      case SyntaxKind.BarBarToken:
        return (isSet ?? value) ? value : this.#evaluate(right, scope);
      case SyntaxKind.QuestionQuestionToken:
        return (isSet ?? (value !== undefined && value !== null)) ? value : this.#evaluate(right, scope);
      default:
        return runtime;
    }
  }

  #object(properties: readonly Node[], scope: Scope): Fields {
    const get = (name: string): Value => {
      for (const each of properties.toReversed()) {
        if (is.isSpreadAssignment(each)) {
          const spread = this.#evaluate(each.expression, scope);
          if (spread === runtime) return runtime;
          if (spread instanceof Fields && spread.names().includes(name)) return spread.get(name);
        } else if (nameOf(each) === name) {
          if (is.isPropertyAssignment(each)) return this.#evaluate(each.initializer, scope);
          const declaration = this.program.shorthandOf(each);
          return declaration ? this.#declared(declaration, scope) : runtime;
        }
      }
      return undefined;
    };
    return new Fields(() => properties.flatMap((each) => nameOf(each) ?? []), get);
  }

  #array(elements: readonly Expression[], scope: Scope): Items {
    return new Items(
      elements.flatMap((element) => {
        if (!is.isSpreadElement(element)) return [() => this.#evaluate(element, scope)];
        const spread = this.#evaluate(element.expression, scope);
        return spread instanceof Items ? spread.all : [atRuntime];
      }),
    );
  }

  #call(callee: Node, args: readonly Expression[], scope: Scope): Value {
    const lazy = args.map((arg) => () => this.#evaluate(arg, scope));
    const [first, second] = args;
    const name = callee.getText();
    if (name === "Prisma.raw" && first) {
      const text = this.#evaluate(first, scope);
      if (typeof text !== "string") throw new Unresolved(first);
      return new Fragment(text);
    }
    // A number in the statement, such as a LIMIT. Any number will do.
    if (name === "String" && first) return "1";
    if (name === "Prisma.join" && first) return this.#join(first, second && this.#evaluate(second, scope), scope);
    if (name === "columnsOf" && first) return this.#columns(first, scope);
    if ((name === "inserted" || name === "assigned") && first) return this.#written(name, first);
    if (name.startsWith("Object.")) return entriesOf(lazy[0]?.(), name);
    if (is.isPropertyAccessExpression(callee)) {
      const method = callee.name.text;
      const definition = this.definition(callee.expression);
      if (definition && method === "columns") return Fragment.of(definition.columns(new Date()));
      if (definition && method === "ownedBy") return Fragment.of(definition.ownedBy(anyOwner));
      const of = this.#evaluate(callee.expression, scope);
      if (of === undefined || of === null) return undefined;
      if (arrayMethods.includes(method)) return callArrayMethod(of, method, lazy[0]?.());
    }
    const applied = this.#evaluate(callee, scope);
    return applied instanceof Callable ? applied.apply(lazy) : runtime;
  }

  #join(list: Expression, separator: Value, scope: Scope): Fragment {
    const items = this.#evaluate(list, scope);
    if (items === runtime && !/\bSql\b/.test(this.program.typeOf(list))) return new Fragment(parameter);
    if (!(items instanceof Items) || (separator !== undefined && typeof separator !== "string"))
      throw new Unresolved(list);
    if (items.all.length === 0) throw new DeadPath(); // Prisma.join throws
    const values = items.all.map((item) => item());
    return new Fragment(
      values.map((value) => (value instanceof Fragment ? value.text : parameter)).join(separator ?? ","),
    );
  }

  /** The result of `columnsOf`: a source that is no SQL is the column with the field's name. */
  #columns(fields: Expression, scope: Scope): Value {
    const sources = this.#evaluate(fields, scope);
    if (!(sources instanceof Fields)) throw new Unresolved(fields);
    const columns = sources.names().map((name) => {
      const source = sources.get(name);
      const sql = source instanceof Callable ? source.apply([atRuntime]) : source;
      return sql instanceof Fragment ? `${sql.text} AS "${name}"` : `"${name}"`;
    });
    return new Callable(() => new Fragment(columns.join(", ")));
  }

  /** `inserted` and `assigned` write the properties of their argument's type. */
  #written(as: "inserted" | "assigned", values: Expression): Fragment {
    const columns = this.program.propertiesOf(values).map((name) => `"${name}"`);
    if (columns.length === 0) throw new Unresolved(values);
    if (as === "assigned") return new Fragment(columns.map((column) => `${column} = ${parameter}`).join(", "));
    return new Fragment(`(${columns.join(", ")}) VALUES (${columns.map(() => parameter).join(", ")})`);
  }

  #identifier(node: Identifier, scope: Scope): Value {
    const declaration = this.program.declarationOf(node);
    if (node.text === "undefined") return undefined;
    return declaration ? this.#orText(node, () => this.#declared(declaration, scope)) : runtime;
  }

  /** Evaluates each text of a union type when the value is only known at run time. */
  #orText(node: Expression, evaluate: Lazy): Value {
    let failure: Unresolved | undefined;
    try {
      const value = evaluate();
      if (value !== runtime) return value;
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error;
      failure = error;
    }
    const texts = this.program.textsOf(node);
    const of = is.isIdentifier(node) ? this.program.declarationOf(node) : node.getText();
    if (texts.length > 0) return texts[this.branches.choose(texts.length, of)];
    if (failure) throw failure;
    return runtime;
  }

  #declared(declaration: Node, scope: Scope): Value {
    const argument = scope.get(declaration);
    if (argument) return argument();
    if (is.isFunctionDeclaration(declaration)) return this.#evaluate(declaration, scope);
    // Definitions are imported, not evaluated.
    if (declaration.getSourceFile().fileName.endsWith("lib/resources/define.ts")) return runtime;
    if (is.isParameterDeclaration(declaration)) return this.#argument(declaration);
    if (is.isBindingElement(declaration)) {
      const { parent, initializer, dotDotDotToken } = declaration;
      const whole = this.#declared(parent.parent, scope);
      if (dotDotDotToken) return whole;
      const name = is.isArrayBindingPattern(parent)
        ? String(parent.elements.indexOf(declaration))
        : (declaration.propertyName ?? declaration.name)?.getText();
      const value = property(whole, name ?? "");
      return value === undefined && initializer ? this.#evaluate(initializer, scope) : value;
    }
    if (!is.isVariableDeclaration(declaration)) return runtime;
    const { parent, initializer } = declaration;
    if (is.isForOfStatement(parent.parent))
      return this.#oneOf(this.#evaluate(parent.parent.expression, scope), declaration);
    return initializer && /^const\b/.test(parent.getText()) ? this.#evaluate(initializer, scope) : runtime;
  }

  #oneOf(items: Value, of: Node): Value {
    if (!(items instanceof Items) || items.all.length === 0) return runtime;
    return items.all[this.branches.choose(items.all.length, of)]?.();
  }

  /** The value of a parameter, from the function's callers. */
  #argument(declaration: ParameterDeclaration): Value {
    const callee = declaration.parent as FunctionLikeDeclaration;
    const index = callee.parameters.indexOf(declaration);
    const callers = this.program.callersOf(callee);
    const call = callers.length === 0 ? undefined : callers[this.branches.choose(callers.length, callee)];
    if (!call || !is.isCallExpression(call)) return runtime;
    if (callee.parent === call) {
      const { expression } = call;
      if (index > 0 || !is.isPropertyAccessExpression(expression)) return runtime;
      return this.#oneOf(this.#evaluate(expression.expression, outside), declaration);
    }
    const given = call.arguments[index] ?? declaration.initializer;
    return given && this.#evaluate(given, outside);
  }

  #apply(callee: FunctionLikeDeclaration, args: Lazy[], scope: Scope): Value {
    const inner = new Map(scope);
    for (const [index, declaration] of callee.parameters.entries()) {
      const { initializer } = declaration;
      inner.set(declaration, () => args[index]?.() ?? (initializer ? this.#evaluate(initializer, scope) : undefined));
    }
    const body = "body" in callee ? (callee.body as Node | undefined) : undefined;
    if (!body) return runtime;
    return is.isBlock(body) ? this.#run(body, inner)?.value : this.#evaluate(body, inner);
  }

  /** Evaluates a function's body up to its `return`. */
  #run(body: Node, scope: Scope): { value: Value } | undefined {
    if (is.isThrowStatement(body)) throw new DeadPath();
    if (is.isReturnStatement(body)) return { value: body.expression && this.#evaluate(body.expression, scope) };
    if (is.isTryStatement(body))
      return body.catchClause?.getText().includes("return") ? { value: runtime } : this.#run(body.tryBlock, scope);
    if (is.isIfStatement(body) && /\b(return|throw)\b/.test(body.getText())) {
      const { expression, thenStatement, elseStatement } = body;
      const isTaken = this.#isTrue(expression, scope, is.isThrowStatement(thenStatement) ? false : undefined);
      const branch = isTaken ? thenStatement : elseStatement;
      return branch && this.#run(branch, scope);
    }
    if (!is.isBlock(body)) return undefined;
    for (const statement of body.statements) {
      const returned = this.#run(statement, scope);
      if (returned) return returned;
    }
    return undefined;
  }
}

function nameOf(node: Node): string | undefined {
  if (!is.isPropertyAssignment(node) && !is.isShorthandPropertyAssignment(node)) return undefined;
  return is.isStringLiteral(node.name) ? node.name.text : node.name.getText();
}
