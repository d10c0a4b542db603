/** What may not stand in the viewer's sources. Types are tsc's matter, so that linting needs none and stays quick. */
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

export default tseslint.config(
  ...tseslint.configs.strict,
  reactHooks.configs.flat.recommended,
  {
    rules: {
      complexity: ["error", 18],
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_", argsIgnorePattern: "^_" }],
      eqeqeq: "error",
      "max-lines": ["error", { max: 250, skipComments: true }],
      "no-console": "error",
      "no-eval": "error",
      "no-restricted-syntax": [
        "error",
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: "Plans hold text of strangers." },
        { selector: "AssignmentExpression[left.property.name=/^(inner|outer)HTML$/]", message: "Plans hold text of strangers." },
      ],
    },
  },
  { ignores: ["src/api/schema.gen.ts"] },
);
