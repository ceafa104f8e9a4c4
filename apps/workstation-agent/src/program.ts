import { Command, type CommandOptions, Option } from 'commander'
import { AgentProblem } from './agent-problem.ts'
import { enrol } from './enrol.ts'
import { AgentHome, defaultHome } from './home.ts'
import { pairAlone, pairThere } from './pair.ts'
import { desktopBrowser } from './prompt/open-browser.ts'
import type { Terminal } from './prompt/terminal.ts'
import { addFile, addFoundTokens, addToken, listSources, removeSource } from './source-commands.ts'
import { startAgent } from './start-agent.ts'
import { keep, runInBackground } from './startup/background.ts'
import { install, uninstall } from './startup/install.ts'
import { findTokens } from './tokens/find-tokens.ts'
import { thisMachine } from './tokens/modules.ts'
import { sentencesOf } from './tokens/token-sentences.ts'
import { update, updateSentence } from './update/update.ts'
import { version } from './version.ts'
import { NO_SCREEN, openThere } from './window/open-command.ts'

// Rules of the terminal: the agent prints whole sentences. Results of a command go to standard output; events while the
// agent runs, questions and problems go to standard error. A problem the user can fix is one sentence without a stack.
// A PIN or password is asked for without echo, appears in no sentence, and never comes from the command line, where
// others could read it.

/** Dependencies of the commands. */
export interface AgentContext {
  /** Results. */
  readonly print: (text: string) => void
  /** What happens, and problems. */
  readonly log: (text: string) => void
  /** Undefined without a terminal. */
  readonly terminal: Terminal | undefined
  /** Resolves when the user or the system asks the program to stop. */
  readonly untilStopped: () => Promise<void>
  /** The words that start this program. */
  readonly program: readonly string[]
  /** The program's file where it is a package; an update replaces it. */
  readonly executable: string | undefined
}

interface HomeOption {
  readonly home: string
}

interface RunOptions extends HomeOption {
  readonly browser?: string
  readonly background?: true
}

type AddCommand = (name: string, description: string, options?: CommandOptions) => Command

/** The command line of the agent. */
export function createProgram(context: AgentContext): Command {
  const program = new Command('chancela-agent')
    .description('Holds your certificates at your own machine and signs for the session server.')
    .version(version)
    .showHelpAfterError()
    .configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.log(text.trimEnd()),
    })
  const add: AddCommand = (name, description, options = {}) =>
    program
      .command(name, options)
      .description(description)
      .addOption(new Option('--home <folder>', 'folder of the agent').env('CHANCELA_AGENT_HOME').default(defaultHome()))
  addEnrolment(add, context)
  addRun(add, context)
  addStartup(add, context)
  addPairing(add, context)
  addSources(add, context)
  return program
}

function addEnrolment(add: AddCommand, { print }: AgentContext): void {
  add('enrol', 'Enrol this machine with a code from the console.')
    .argument('<console-url>')
    .argument('<code>')
    .action(async (url: string, code: string, { home }: HomeOption) => {
      const { name } = await enrol(home, url, code)
      print(`This machine is enrolled as ${name}. Add a token or a file, then chancela-agent install.`)
    })
  add('status', 'Show where this machine is enrolled and whether the agent runs.').action(({ home }: HomeOption) =>
    print(status(new AgentHome(home))),
  )
}

function addRun(add: AddCommand, context: AgentContext): void {
  add('run', 'Connect to the server and sign until stopped.')
    .option('--browser <program>', 'program that shows pages; default the browser of the desktop')
    .option('--background', 'without a terminal, and started again whenever it ends')
    .action((options: RunOptions) => (options.background ? runBehind(context, options) : run(context, options)))
  add('update', 'Install the version that the server offers.').action(async ({ home }: HomeOption) => {
    const installed = await update(new AgentHome(home), context.executable)
    context.print(`Version ${installed} is installed; it runs when the agent is started again.`)
  })
  add('open', 'Open the window of the agent: its connection, certificates, and a test. Starts one where none runs.')
    .option('--browser <program>', 'program that shows pages; default the browser of the desktop')
    .action((options: HomeOption & { browser?: string }) => open(context, options))
}

function addStartup(add: AddCommand, { print, program, untilStopped }: AgentContext): void {
  add('install', 'Have the agent started now, whenever you log in, and whenever it has ended.').action(
    async ({ home }: HomeOption) => print(await install(program, home)),
  )
  add('uninstall', 'Stop the agent and have it started no more.').action(async ({ home }: HomeOption) =>
    print(await uninstall(program, home)),
  )
  add('keep', 'Start the agent again whenever it ends.', { hidden: true })
    .option('--browser <program>')
    .action(({ home, browser }: RunOptions) => {
      const stopping = new AbortController()
      void untilStopped().then(() => stopping.abort())
      return keep(program, home, browserWords(browser), stopping.signal)
    })
}

function addPairing(add: AddCommand, context: AgentContext): void {
  add('pair', 'Join the signing page that shows a code; without the code, open the window for it.')
    .argument('[code]', 'as the page shows it')
    .option('--browser <program>', 'program that shows pages; default the browser of the desktop')
    .action((code: string | undefined, options: HomeOption & { browser?: string }) => pair(context, code, options))
}

function addSources(add: AddCommand, { print, terminal }: AgentContext): void {
  const show = async (home: string): Promise<void> => {
    const lines = await listSources(home)
    print(lines.length > 0 ? lines.join('\n') : 'Nothing is added yet: add-token or add-file does.')
  }
  add('tokens', 'Show readers, cards and tokens, and which software they lack.').action(async () =>
    print(sentencesOf(await findTokens(thisMachine)).join('\n')),
  )
  add('add-token', 'Offer the certificates on tokens: those that are found, or those of a PKCS#11 module.')
    .argument('[module]', 'path of the module, where it is in no usual place')
    .option('--token <label>', 'one token, by label or serial number')
    .action(async (module: string | undefined, { home, token }: HomeOption & { token?: string }) => {
      await (module === undefined ? addFoundTokens(home, token) : addToken(home, module, token))
      await show(home)
    })
  add('add-file', 'Offer the certificate in a PKCS#12 file; its password is asked for once and not kept.')
    .argument('<pkcs12>')
    .option('--alias <name>', 'which key, where the file holds several')
    .action(async (path: string, { home, alias }: HomeOption & { alias?: string }) => {
      const password = await terminal?.ask(`Password of ${path}: `, { secret: true })
      if (password === undefined) throw new AgentProblem('The password is asked for at a terminal, and there is none.')
      await addFile(home, path, password, alias)
      await show(home)
    })
  add('remove', 'Offer a token or file no more.')
    .argument('<number>', 'as chancela-agent list shows it')
    .action((number: string, { home }: HomeOption) => print(`Removed: ${removeSource(home, number)}.`))
  add('list', 'Show tokens and files, and the certificates that are there now.').action(({ home }: HomeOption) =>
    show(home),
  )
}

async function pair(
  { log, print, terminal, untilStopped }: AgentContext,
  code: string | undefined,
  { home, browser }: HomeOption & { browser?: string },
): Promise<void> {
  const options = { home, log, terminal, openBrowser: desktopBrowser(browser) }
  const isRunning = new AgentHome(home).runningProcess() !== undefined
  print(await (isRunning ? pairThere(home, code) : pairAlone(options, code, untilStopped)))
}

async function open(context: AgentContext, options: HomeOption & { browser?: string }): Promise<void> {
  if (new AgentHome(options.home).runningProcess() !== undefined) context.print(await openThere(options.home))
  else await run(context, options, true)
}

async function runBehind({ print, program }: AgentContext, { home, browser }: RunOptions): Promise<void> {
  print(await runInBackground(program, home, browserWords(browser)))
}

const browserWords = (browser: string | undefined): readonly string[] =>
  browser === undefined ? [] : ['--browser', browser]

async function run(
  { log, terminal, untilStopped }: AgentContext,
  { home, browser }: HomeOption & { browser?: string },
  withWindow = false,
): Promise<void> {
  const agent = await startAgent({ home, log, terminal, openBrowser: desktopBrowser(browser) })
  if (withWindow && !(await agent.openWindow())) log(NO_SCREEN)
  void untilStopped().then(() => agent.stop())
  if ((await agent.ended) === 'refused') throw new AgentProblem('The agent has ended and holds no PIN any more.')
  log('The agent has ended; every PIN is forgotten.')
}

function status(home: AgentHome): string {
  const { name, server, workstationId } = home.readEnrolment()
  const pid = home.runningProcess()
  const sources = home.readSources().length
  const news = updateSentence(home)
  return [
    `This machine is enrolled as ${name} (${workstationId}) at ${server}.`,
    `${sources} ${sources === 1 ? 'token or file is' : 'tokens and files are'} added.`,
    pid === undefined ? 'The agent does not run.' : `The agent runs as process ${pid}.`,
    ...(news === undefined ? [] : [news]),
  ].join('\n')
}
