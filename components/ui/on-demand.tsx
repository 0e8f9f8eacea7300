import { Component, type ComponentType, lazy, type ReactNode, useState } from "react";
import { loadWhenIdle } from "@/lib/client/idle";

/** A script that did not load. `retry` makes the next render ask for it again: React keeps a failed lazy component failed. */
export class LoadError extends Error {
  constructor(
    cause: unknown,
    readonly retry: () => void,
  ) {
    super("A part of the page could not be loaded.", { cause });
    this.name = "LoadError";
  }
}

type OnDemand<Props> = ComponentType<Props> & { preload: () => Promise<unknown> };

/**
 * Splits a component out of the page's first load, as `React.lazy` does. Its script loads a few seconds after the page, so that
 * the component opens at once and without a network; or at its first render, if that comes first.
 * @throws LoadError while rendering, for the `LoadBoundary` around it
 */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): OnDemand<Props> {
  let loaded: ComponentType<Props> | null = null;
  const loadPart = async () => {
    loaded = await load();
    return loaded;
  };
  const makeLazy = () =>
    lazy(async () => {
      try {
        return { default: await loadPart() };
      } catch (error) {
        throw new LoadError(error, () => {
          lazyPart = makeLazy();
        });
      }
    });
  let lazyPart = makeLazy();
  loadWhenIdle(loadPart);

  function OnDemand(props: Props) {
    const [Part] = useState<ComponentType<Props>>(() => loaded ?? lazyPart);
    return <Part {...props} />;
  }
  return Object.assign(OnDemand, { preload: loadPart });
}

interface LoadBoundaryProps {
  children: ReactNode;
  fallback?: (retry: () => void) => ReactNode;
  onFailed?: () => void;
}

/** Catches the `LoadError` of an `onDemand` component; every other error goes on to the page's error boundary. */
export class LoadBoundary extends Component<LoadBoundaryProps, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof LoadError) this.props.onFailed?.();
  }

  override componentWillUnmount(): void {
    this.reset();
  }

  private reset(): void {
    const { error } = this.state as { error: unknown };
    if (error instanceof LoadError) error.retry();
  }

  override render(): ReactNode {
    const { error } = this.state as { error: unknown };
    if (error === null) return this.props.children;
    if (!(error instanceof LoadError)) throw error;
    return this.props.fallback?.(() => {
      this.reset();
      this.setState({ error: null });
    });
  }
}
