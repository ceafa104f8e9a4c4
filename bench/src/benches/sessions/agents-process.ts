// Many workstation agents in one process, each with an enrolment of its own.
import { startAgent } from '@chancela/workstation-agent'
import { sendToParent } from '../../harness/program-side.ts'

const homes = process.argv.slice(2)
for (const home of homes) await startAgent({ home, openBrowser: async () => false, terminal: undefined })
sendToParent(homes.length)
