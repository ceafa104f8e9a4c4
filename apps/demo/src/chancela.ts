// `npm run chancela -- …`: the command line of the product, with the demo's own services beside the product's.
import { endSoon, runCli } from '@chancela/cli'
import { demoServices } from './services.ts'

const { definitions } = demoServices(new Date())
process.exitCode = await runCli(process.argv.slice(2), { services: definitions, onStopped: endSoon })
