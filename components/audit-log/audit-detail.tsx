import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { pageOf } from "@/components/shell/pages";
import { Fact, linkClass, MomentFact } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { pageMode } from "@/lib/client/call";
import type { AuditEntry } from "@/lib/resources/audit-log/contract";
import { requestsQueryOptions } from "@/lib/resources/requests/queries";
import { actorWords, differences } from "./words";

export function AuditDetail({ entry }: { entry: AuditEntry }) {
  const t = useTranslations("audit.detail");
  const texts = useTranslations();
  const fields = differences(texts, entry);
  const { action, about, resource_id, address, livemode, request_id, created_at } = entry;
  // Only a resource of this mode that still exists has a page.
  const here = livemode === (pageMode() === "live") && !action.endsWith(".deleted");
  const page = here && resource_id ? pageOf(resource_id) : null;
  return (
    <section
      aria-label={t("label")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      className="grid min-h-0 flex-1 content-start gap-6 overflow-y-auto p-5"
    >
      <dl className="grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2">
        <Fact term={t("who")}>{actorWords(texts, entry)}</Fact>
        <MomentFact term={t("when")} at={created_at} seconds />
        {about && <Fact term={t("about")}>{about}</Fact>}
        {address && <Fact term={t("from")}>{address}</Fact>}
        {livemode !== null && <Fact term={t("mode")}>{t(livemode ? "live" : "test")}</Fact>}
        {resource_id && (
          <Fact term={t("resource")}>
            {page ? (
              <Link href={page} className={linkClass}>
                {resource_id}
              </Link>
            ) : (
              resource_id
            )}
          </Fact>
        )}
        {request_id && (
          <Fact term={t("request")}>
            <RequestId key={request_id} id={request_id} />
          </Fact>
        )}
      </dl>
      {fields.length > 0 && (
        <table className="w-full table-fixed text-base">
          <caption className="mb-2 text-left text-[15px] font-semibold text-kumo-strong">{t("changes")}</caption>
          <thead>
            <tr className="border-b border-kumo-line text-left text-sm text-kumo-subtle">
              <th scope="col" className="py-2 pr-3 font-normal">
                {t("field")}
              </th>
              <th scope="col" className="py-2 pr-3 font-normal">
                {t("before")}
              </th>
              <th scope="col" className="py-2 font-normal">
                {t("after")}
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

/** A link if the request log has it: it has neither sign-ins nor the other mode's requests. */
function RequestId({ id }: { id: string }) {
  const requests = useQuery(requestsQueryOptions({ request_id: id }));
  if (!requests.data?.rows.length) return id;
  return (
    <Link href={`/developers/requests?request_id=${encodeURIComponent(id)}`} className={linkClass}>
      {id}
    </Link>
  );
}
