import type { ReactNode } from "react";
import { When } from "@/components/ui/when";
import type { AuditEntry } from "@/lib/audit/contract";
import { actorWords, differences } from "./words";

/** One entry: who, when, from where, and each field before and after. */
export function AuditDetail({ entry }: { entry: AuditEntry }) {
  const fields = differences(entry);
  const { about, resource_id, address, livemode, request_id, created_at } = entry;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section aria-label="Entry" tabIndex={0} className="grid min-h-0 flex-1 content-start gap-6 overflow-y-auto p-5">
      <dl className="grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2">
        <Fact term="Who">{actorWords(entry)}</Fact>
        <Fact term="When">
          <When at={created_at} />
        </Fact>
        {about && <Fact term="About">{about}</Fact>}
        {address && <Fact term="From">{address}</Fact>}
        {livemode !== null && <Fact term="Mode">{livemode ? "Live" : "Test"}</Fact>}
        {resource_id && <Fact term="Resource">{resource_id}</Fact>}
        {request_id && <Fact term="Request">{request_id}</Fact>}
      </dl>
      {fields.length > 0 && (
        <table className="w-full table-fixed text-base">
          <caption className="mb-2 text-left text-[15px] font-semibold text-kumo-strong">Before and after</caption>
          <thead>
            <tr className="border-b border-kumo-line text-left text-sm text-kumo-subtle">
              <th scope="col" className="py-2 pr-3 font-normal">
                Field
              </th>
              <th scope="col" className="py-2 pr-3 font-normal">
                Before
              </th>
              <th scope="col" className="py-2 font-normal">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ field, before, after }) => (
              <tr key={field} className="border-b border-kumo-hairline align-top wrap-anywhere">
                <th scope="row" className="py-2 pr-3 text-left font-mono text-sm font-normal text-kumo-subtle">
                  {field}
                </th>
                <td className="py-2 pr-3 whitespace-pre-line text-kumo-default">{before ?? "–"}</td>
                <td className="py-2 font-medium whitespace-pre-line text-kumo-strong">{after ?? "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-kumo-subtle">{term}</dt>
      <dd className="mt-0.5 text-base wrap-anywhere text-kumo-default">{children}</dd>
    </div>
  );
}
