import { createContext, type ReactNode, useContext, useEffect, useEffectEvent } from "react";

interface Layer {
  open: boolean;
  /** Whether it was opened above another dialog. */
  isNested: boolean;
  close: () => void;
  remove: () => void;
  nested: ReactNode;
}

const LayerContext = createContext<Layer | null>(null);

/** For a dialog's frame: its place in the stack of open dialogs. */
export function useLayer(): Layer {
  const layer = useContext(LayerContext);
  if (!layer) throw new Error("This frame was not opened by a DialogsProvider.");
  return layer;
}

interface LayerProviderProps extends Layer {
  onMounted: () => () => void;
  children: ReactNode;
}

/** Gives a dialog's frame its place in the stack. */
export function LayerProvider({ onMounted, children, ...layer }: LayerProviderProps) {
  const mounted = useEffectEvent(onMounted);
  useEffect(() => mounted(), []);
  return <LayerContext value={layer}>{children}</LayerContext>;
}
