const unused = /^ {2}\[\n {4}"(thin|light|duotone)",\n[\s\S]*?^ {2}\],?\n/gm;

/** The build's loader for the icons' drawings: without the weights that no page uses. Each drawing has six. */
export default function icon(source) {
  const used = source.replace(unused, "");
  for (const weight of ["regular", "bold", "fill"])
    if (!used.includes(`"${weight}",`)) throw new Error(`${this.resourcePath} has no ${weight} drawing`);
  return used;
}
