// Another validator, by other hands than ours: ajv says of each plan whether it fits the schema.
// node judge.mjs < {"schema": ..., "plans": [...]}: prints a list of true and false.

import { text } from "node:stream/consumers";
import Ajv2020 from "ajv/dist/2020.js";

const { schema, plans } = JSON.parse(await text(process.stdin));
const fits = new Ajv2020({ strict: false }).compile(schema);
console.log(JSON.stringify(plans.map((plan) => fits(plan))));
