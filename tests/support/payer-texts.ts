/** All texts for payers with their keys. Texts with arguments are called with «1» and «2». */
export const textsIn = (tree: object, path = ""): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]): [string, string][] => {
    if (path === "" && key === "language") return [];
    if (typeof value === "string") return [[path + key, value]];
    if (typeof value === "function") return [[path + key, value("«1»", "«2»")]];
    return textsIn(value, `${path}${key}.`);
  });
