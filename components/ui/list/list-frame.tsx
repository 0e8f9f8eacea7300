import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useExplainFailure } from "@/components/ui/explain-failure";
import type en from "@/messages/en";

type Things = (typeof en)["things"];
export type ListThing = keyof Things["lists"];
export type SingleThing = keyof Things["single"];

type Thing = `lists.${ListThing}` | `single.${SingleThing}`;

interface LoadFailureProps {
  of: Thing;
  query: Pick<UseQueryResult, "error" | "isFetching" | "refetch">;
  children?: ReactNode;
}

export function LoadFailure({ of, query, children }: LoadFailureProps) {
  const explainFailure = useExplainFailure();
  const t = useTranslations("shell.list");
  const things = useTranslations("things");
  return (
    <div className="grid justify-items-start gap-4 rounded-xl bg-kumo-base p-5 ring ring-kumo-line">
      <Alert>
        {things(`${of}.failed`)} {query.error && explainFailure(query.error)}
      </Alert>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" loading={query.isFetching} onClick={() => void query.refetch()}>
          {t("tryAgain")}
        </Button>
        {children}
      </div>
    </div>
  );
}

export function Skeleton({ of }: { of: Thing }) {
  const things = useTranslations("things");
  return (
    <div className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
      <p role="status" className="sr-only">
        {things(`${of}.loading`)}
      </p>
      {["w-40", "w-56", "w-32", "w-48", "w-44", "w-36"].map((width) => (
        <div
          key={width}
          aria-hidden
          className="flex h-13 items-center gap-6 border-b border-kumo-hairline px-4 last:border-0"
        >
          <span className={`h-3 motion-safe:animate-pulse rounded bg-kumo-fill ${width}`} />
          <span className="ml-auto h-3 w-16 motion-safe:animate-pulse rounded bg-kumo-fill" />
        </div>
      ))}
    </div>
  );
}
