import { redirect } from "next/navigation";
import type { ComponentType } from "react";
import { addressOf, type SearchParams } from "@/components/shell/next-path";
import { mayCall } from "@/lib/auth/scopes";
import type { SignedIn } from "@/lib/auth/session";
import type { Endpoint } from "@/lib/http/endpoint";
import { titled } from "@/messages/server";
import { NotAllowed } from "./not-allowed";
import { currentSession, requireSession } from "./session";

export interface PageProps {
  searchParams: SearchParams;
}

export interface DetailPageProps extends PageProps {
  params: Promise<{ id: string }>;
}

/** Requires a session, with a second factor if the business does: the sign-in leads back to this address. */
export async function openPage(path: string, searchParams: SearchParams): Promise<SignedIn> {
  const session = await requireSession(await addressOf(path, searchParams));
  if (session.lacksSecondFactor) redirect("/two-factor");
  return session;
}

/** `titled` of a page that only some roles may open: the others get the title of not-allowed.tsx. */
export const titledFor = (endpoint: Endpoint, key: Parameters<typeof titled>[0]) => async () => {
  const session = await currentSession();
  return titled(session && !mayCall(session.role, endpoint) ? "notAllowed" : key)();
};

export const detailPage = (list: string, Page: ComponentType<{ id: string }>, endpoint?: Endpoint) =>
  async function DetailPage({ params, searchParams }: DetailPageProps) {
    const { id } = await params;
    const { role } = await openPage(`${list}/${encodeURIComponent(id)}`, searchParams);
    if (endpoint && !mayCall(role, endpoint)) return <NotAllowed />;
    return <Page id={id} />;
  };
