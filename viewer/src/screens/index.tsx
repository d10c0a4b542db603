/** The screens of each plane, by path: a screen is loaded when it is opened for the first time. */
import { type ComponentType, lazy } from "react";
import { match, type Params, paths } from "../route.ts";
import { NotLoaded } from "./not_loaded.tsx";

type Component = ComponentType<Record<string, string>>;

interface Screen {
  path: string;
  /** What the tab of the browser shows. */
  title: string;
  component: Component;
}

export interface Plane {
  title: string;
  /** Follows the title where there is space. */
  more: string;
  /** Its first screen. */
  home: string;
  screens: readonly Screen[];
}

export const PLANES: readonly Plane[] = [
  {
    title: "Strategic",
    more: "plans",
    home: paths.strategicList,
    screens: [
      ...screens(["", "plans"], "Strategic plans", async () => (await import("./strategic_list.tsx")).StrategicListScreen),
      ...screens(["plans/new"], "New plan", async () => (await import("./new_strategic.tsx")).NewStrategicScreen),
      ...screens(["plans/:planId", "plans/:planId/:tab"], "Strategic plan", async () => (await import("./strategic.tsx")).StrategicScreen),
      ...screens(["open/:planId"], "Plan", async () => (await import("./open.tsx")).OpenScreen),
    ],
  },
  {
    title: "Implementation",
    more: "plans",
    home: paths.implementationList,
    screens: [
      ...screens(["implementation"], "Implementation plans", async () => (await import("./implementation_list.tsx")).ImplementationListScreen),
      ...screens(["implementation/:planId"], "Implementation plan", async () => (await import("./implementation.tsx")).ImplementationScreen),
    ],
  },
  {
    title: "Graphs",
    more: "",
    home: paths.graphList,
    screens: [
      ...screens(["graphs"], "Graphs", async () => (await import("./graph_list.tsx")).GraphListScreen),
      // before the next, whose path it fits as well
      ...screens(["graphs/schedules"], "Schedules and budgets", async () => (await import("./schedule_list.tsx")).ScheduleListScreen),
      ...screens(["graphs/:planId"], "Graph", async () => (await import("./graph.tsx")).GraphScreen),
    ],
  },
  {
    title: "Runs",
    more: "",
    home: paths.runList,
    screens: [
      ...screens(["runs"], "Runs", async () => (await import("./run_list.tsx")).RunListScreen),
      ...screens(["runs/:runId"], "Run", async () => (await import("./run.tsx")).RunScreen),
    ],
  },
  {
    title: "Workflows",
    more: "",
    home: paths.workflowList,
    screens: [
      ...screens(["workflows"], "Workflows", async () => (await import("./workflow_list.tsx")).WorkflowListScreen),
      ...screens(["workflows/:runId"], "Workflow", async () => (await import("./workflow.tsx")).WorkflowScreen),
    ],
  },
  {
    title: "Approvals",
    more: "",
    home: paths.approvalList,
    screens: [...screens(["approvals"], "Approvals", async () => (await import("./approvals.tsx")).ApprovalsScreen)],
  },
];

/** Return the screen of *hash* with its plane and parameters; undefined where the address names none. */
export function screenOf(hash: string): { plane: Plane; screen: Screen; params: Record<string, string> } | undefined {
  for (const plane of PLANES)
    for (const screen of plane.screens) {
      const params = match(screen.path, hash);
      if (params) return { plane, screen, params };
    }
  return undefined;
}

/** Several paths of one screen; each has the parameters that the component requires. */
function screens<Path extends string>(
  found: readonly [Path, ...string[]],
  title: string,
  load: () => Promise<ComponentType<Params<Path> & object>>,
): Screen[] {
  const component = lazy(async () => {
    // a page that was open while a new version was deployed asks for files that are gone
    const loaded = await load().catch(() => NotLoaded);
    return { default: loaded as Component };
  });
  return found.map((path) => ({ path, title, component: component as unknown as Component }));
}
