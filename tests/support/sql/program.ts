import { fileURLToPath } from "node:url";
import type { Expression, Identifier, Node, SourceFile } from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import { API, type Checker, type Project, type Symbol as Sym, SymbolFlags, type Type } from "typescript/unstable/sync";

const root = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

/** Each question to the compiler is a message to its process, and the same ones come a hundred thousand times. */
function remembered<Key, Value>(answers: Map<Key, Value>, of: Key, ask: () => Value): Value {
  const known = answers.get(of);
  if (known !== undefined || answers.has(of)) return known as Value;
  const answer = ask();
  answers.set(of, answer);
  return answer;
}

/** The product's sources with the compiler's types. The compiler's interface may change with its version. */
export class SourceProgram {
  readonly #api = new API({ cwd: root });
  readonly #project: Project;
  readonly #declarations = new Map<Node, Node | undefined>();
  readonly #callers = new Map<Node, Node[]>();
  readonly #types = new Map<Expression, string>();
  readonly #texts = new Map<Expression, string[]>();
  readonly files: SourceFile[];

  constructor() {
    const config = `${root}/tests/support/sql/tsconfig.json`;
    const project = this.#api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`${config} cannot be opened`);
    this.#project = project;
    const names = project.program.getSourceFileNames().filter((name) => this.#isSource(name));
    this.files = names.flatMap((name) => project.program.getSourceFile(name) ?? []);
  }

  close(): void {
    this.#api.close();
  }

  #isSource(fileName: string): boolean {
    const path = fileName.slice(root.length + 1);
    return fileName.startsWith(`${root}/`) && /^(app|lib|server|scripts)\//.test(path) && !/\/generated\//.test(path);
  }

  get #checker(): Checker {
    return this.#project.checker;
  }

  /** The place of a node: `lib/http/list.ts: count`. */
  placeOf(node: Node): string {
    const path = node.getSourceFile().fileName.slice(root.length + 1);
    for (let at: Node | undefined = node; at; at = at.parent) {
      if ((is.isFunctionDeclaration(at) || is.isMethodDeclaration(at)) && at.name)
        return `${path}: ${at.name.getText()}`;
      if (is.isVariableDeclaration(at) && at.initializer && is.isArrowFunction(at.initializer))
        return `${path}: ${at.name.getText()}`;
    }
    return path;
  }

  declarationOf(node: Identifier): Node | undefined {
    return remembered(this.#declarations, node, () => this.#declared(this.#checker.getSymbolAtLocation(node)));
  }

  /** The declaration of `name` in `{ name }`. */
  shorthandOf(property: Node): Node | undefined {
    return remembered(this.#declarations, property, () =>
      this.#declared(this.#checker.getShorthandAssignmentValueSymbol(property)),
    );
  }

  #declared(symbol: Sym | undefined): Node | undefined {
    const isAlias = symbol && symbol.flags & SymbolFlags.Alias;
    return (isAlias ? this.#checker.getAliasedSymbol(symbol) : symbol)?.valueDeclaration?.resolve();
  }

  /** The calls of a function outside of itself. A call that gets the function as an argument counts. */
  callersOf(callee: Node): Node[] {
    return remembered(this.#callers, callee, () => {
      const { parent } = callee;
      const isCallback = is.isCallExpression(parent) && parent.arguments.some((argument) => argument === callee);
      return isCallback ? [parent] : this.#callsOf(callee);
    });
  }

  #callsOf(callee: Node): Node[] {
    const { parent } = callee;
    const name = is.isFunctionDeclaration(callee)
      ? callee.name
      : is.isVariableDeclaration(parent)
        ? parent.name
        : undefined;
    const found = name ? this.#checker.getReferencedSymbolsForNode(name, name.getStart()) : [];
    return found
      .flatMap(({ references }) => references)
      .flatMap((reference) => {
        const use = this.#isSource(reference.path) ? reference.resolve() : undefined;
        const call = use?.parent;
        if (!call || !is.isCallExpression(call) || call.expression !== use) return [];
        const isRecursive =
          call.getSourceFile() === callee.getSourceFile() && call.pos >= callee.pos && call.end <= callee.end;
        return isRecursive ? [] : [call];
      });
  }

  typeOf(node: Expression): string {
    return remembered(this.#types, node, () => {
      const type = this.#checker.getTypeAtLocation(node);
      return type ? this.#checker.typeToString(type) : "any";
    });
  }

  /** The members of a type such as `"a" | "b"`; none for other types. */
  textsOf(node: Expression): string[] {
    return remembered(this.#texts, node, () => {
      const type = this.#checker.getTypeAtLocation(node);
      const types: readonly Type[] = type?.isUnionType() ? (type.getTypes() ?? []) : type ? [type] : [];
      const texts = types.flatMap((each) => (each.isStringLiteralType() ? [String(each.value)] : []));
      return texts.length === types.length ? texts : [];
    });
  }

  propertiesOf(node: Expression): string[] {
    const type = this.#checker.getTypeAtLocation(node);
    return type ? this.#checker.getPropertiesOfType(type).map(({ name }) => name) : [];
  }
}
