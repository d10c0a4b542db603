/** A plan of which only the id is known: look for it among both kinds, and go there. */
import { useEffect } from "react";
import { ApiError } from "../api/client.ts";
import { planStatus } from "../api/plans.ts";
import { useSession } from "../api_context.ts";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { paths } from "../route.ts";
import { useLoaded } from "../use_loaded.ts";

export function OpenScreen({ planId }: { planId: string }) {
  const { api } = useSession();
  const found = useLoaded(async (signal) => {
    try {
      await planStatus(api, planId, signal);
      return paths.strategic(planId);
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return paths.implementation(planId);
      throw error;
    }
  }, planId);
  useEffect(() => {
    // in place of this address, so that going back does not come here again
    if (found.data) window.location.replace(found.data);
  }, [found.data]);
  return (
    <main id="main" className="page" tabIndex={-1}>
      {found.error ? <Trouble error={found.error} again={found.reload} /> : <Waiting rows={2} />}
    </main>
  );
}
