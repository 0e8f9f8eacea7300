const unused =
  /\[\s*"(?:thin|light|duotone)",[\s\S]*?\)\s*\],?(?=\s*(?:\[\s*"(?:bold|duotone|fill|light|regular|thin)"|\]\)))/g;

/**
 * A loader of the build: an icon comes in six weights, of which ours are three (bold, fill, regular). The others would be
 * half of all that is loaded for icons.
 */
module.exports = (source) => source.replace(unused, "");
