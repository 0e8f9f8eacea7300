const tooltip = /^import \{ t as Tooltip \} from "\.\/tooltip-[\w-]+\.js";$/m;

/**
 * A loader of the build: a button with a title has a tooltip, which brings along all that floats beside something, on every
 * page. Here the browser shows a button's title.
 * @throws Error when buttons are no longer made as this expects
 */
module.exports = (source) => {
  if (!source.includes("src/components/button/button.tsx")) return source; // a group of buttons, for example
  if (!tooltip.test(source)) throw new Error("scripts/kumo-button.cjs: no tooltip is imported here any more.");
  return source.replace(
    tooltip,
    "const Tooltip = ({ content, render, children }) => React.cloneElement(render, { title: content }, ...(children ? [children] : []));",
  );
};
