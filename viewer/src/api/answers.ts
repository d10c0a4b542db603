/** What the operations of the API answer, by the name of the operation: models of several planes may share a name. */
import type { operations } from "./schema.gen.ts";

type Body<T> = T extends { content: { "application/json": infer B } } ? B : never;

export type Answer<Name extends keyof operations> = Body<
  operations[Name]["responses"][keyof operations[Name]["responses"] & (200 | 201 | 202)]
>;
