// Many workstation agents in one process, each with an enrolment of its own.
import { startAgent } from '@chancela/workstation-agent'
import { tellParent } from '../../harness/program-side.ts'

const homes = process.argv.slice(2)
for (const home of homes) await startAgent({ home, openBrowser: async () => false, terminal: undefined })
tellParent(homes.length)
