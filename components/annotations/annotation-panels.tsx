import type { Annotated } from "./editing";
import { MetadataPanel } from "./metadata-panel";
import { NotesPanel } from "./notes-panel";

/** The notes and metadata of a resource, side by side where there is room. */
export function AnnotationPanels(props: Annotated) {
  return (
    <div className="@container">
      <div className="grid grid-cols-1 gap-6 @3xl:grid-cols-2 @3xl:items-start">
        <NotesPanel {...props} />
        <MetadataPanel {...props} />
      </div>
    </div>
  );
}
