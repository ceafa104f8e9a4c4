// `npm run chancela -- …`: the command line of the product, with the demo's own services beside the product's.
import { runCli } from '@chancela/cli'
import { demoServices } from './services.ts'

process.exitCode = await runCli(process.argv.slice(2), { services: demoServices(new Date()).definitions })
