/** One implementation plan: load it and the schema it is held against, then hand both to the editor. */
import { planSchema, readPlan } from "../api/implementation.ts";
import { useSession } from "../api_context.ts";
import { PlanEditor } from "../editor/plan_editor.tsx";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { useLoaded } from "../use_loaded.ts";

export function ImplementationScreen({ planId }: { planId: string }) {
  const { api } = useSession();
  const found = useLoaded(
    async (signal) => {
      const [read, schema] = await Promise.all([readPlan(api, planId, signal), planSchema(api, signal)]);
      return { read, schema };
    },
    planId,
  );
  if (found.data) return <PlanEditor planId={planId} read={found.data.read} schema={found.data.schema} />;
  return (
    <main id="main" className="page" tabIndex={-1}>
      {found.error ? <Trouble error={found.error} again={found.reload} /> : <Waiting />}
    </main>
  );
}
