// The gate `house` of `npm run check`: project rules that neither the compiler nor the linter checks.
import { breaches } from './steps/house-rules.mjs'
import { root } from './steps/run-command.mjs'
import { runScript, say } from './steps/say.mjs'

await runScript(async () => {
  const found = breaches(root)
  for (const breach of found) say(breach)
  return found.length === 0 ? 0 : 1
})
