import { type Command, Option } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { colourChoices } from './colour.ts'
import { exitCodesHelp } from './exit-codes.ts'

// The commands are loaded when they run, so that starting services does not load the signature engine.

const LEVELS = ['B-B', 'B-T', 'B-LT', 'B-LTA', 'AD-RB', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA']
const LEVELS_ABOVE = LEVELS.filter((level) => level !== 'B-B' && level !== 'AD-RB')

/** Their names. */
export const signatureCommands: readonly string[] = [
  'sign',
  'verify',
  'inspect',
  'timestamp',
  'repair',
  'encrypt',
  'decrypt',
  'trust',
  'fields',
]

/** `chancela sign|verify|inspect|timestamp|repair|encrypt|decrypt|trust`: signatures on files and folders. */
export function addSignatureCommands(program: Command, context: CommandContext): void {
  addSign(program, context)
  addVerify(program, context)
  addInspect(program, context)
  addTimestamp(program, context)
  addRepair(program, context)
  addEncrypt(program, context)
  addDecrypt(program, context)
  addTrust(program, context)
  addFields(program, context)
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

const withOutput = (command: Command): Command =>
  command
    .option('--out <path>', 'file or folder for the result; - is standard output; beside the input when absent')
    .option('--force', 'replace files that exist')
    .option('--json', 'results as JSON')
    .addHelpText('after', exitCodesHelp)

const withPassword = (command: Command): Command =>
  command
    .option('--password <password>', 'of the key; visible to other users of this machine')
    .option('--password-file <file>', 'its first line is the password; else CHANCELA_PASSWORD, else a prompt')

const withPdfPassword = (command: Command): Command =>
  command
    .option('--pdf-password <password>', 'of encrypted PDFs; visible to other users of this machine')
    .option('--pdf-password-file <file>', 'its first line is that password; else CHANCELA_PDF_PASSWORD')

const withKey = (command: Command): Command =>
  withPassword(command.option('--pkcs12 <file>', 'key and certificate in a .p12 or .pfx file'))
    .option('--pkcs11 <module>', 'key on a token or smart card: the library of its maker')
    .option('--token <name>', 'label or serial number of the token, where there are several')
    .option('--certificate <name>', 'label, id or SHA-256 of the key on the token, where there are several')

const withTrust = (command: Command): Command =>
  command
    .option('--trust <file>', 'further trusted roots (PEM, DER, PKCS#7); may be repeated', collect)
    .addOption(trustFolder())
    .addOption(dataFolder())
    .option('--offline', 'ask no server for revocation or issuers')

/** What RFC 5280 leaves to whoever validates a path. */
const withPathInputs = (command: Command): Command =>
  command
    .option('--trusted-list <file>', 'trust the authorities of a trusted list (TS 119 612); may be repeated', collect)
    .option('--trusted-list-signer <file>', 'certificates that may sign that list; may be repeated', collect)
    .option('--initial-policy <oid>', 'accept this policy of certificates; may be repeated; by default any', collect)
    .option('--require-explicit-policy', 'accept no certificate without an accepted policy all along its path')
    .option('--inhibit-policy-mapping', 'let no policy stand for that of another authority')
    .option('--inhibit-any-policy', 'let anyPolicy stand for no policy')

const trustFolder = () =>
  new Option('--trust-folder <folder>', 'where trusted roots and policy lists are kept (default: DATA/trust)')
const dataFolder = () =>
  new Option('--data <folder>', 'where the suite keeps its data').env('CHANCELA_DATA').default('data')

const withTimestamps = (command: Command): Command =>
  command.option('--tsa <url>', 'time-stamping authority; repeated, the next is asked when one fails', collect)

/** What a PDF may still let be changed. */
const CHANGES = ['no-changes', 'form-filling', 'annotations']

function addSign(program: Command, context: CommandContext): void {
  const command = program
    .command('sign')
    .description(
      'Sign files: PDF as PAdES, XML as XAdES, anything else as CAdES; with --format also as JAdES or in containers.',
    )
    .argument('<input...>', 'files or folders; - is standard input')
  withPdfPassword(withKey(withTimestamps(withTrust(withOutput(command)))))
    .addOption(
      new Option('--format <format>', 'instead of the one the extension tells').choices([
        'cades',
        'xades',
        'pades',
        'jades',
        'asic-s',
        'asic-e',
      ]),
    )
    .addOption(new Option('--level <level>', 'level to reach').choices(LEVELS).default('B-B'))
    .addOption(new Option('--icp <level>', 'the same, in ICP-Brasil terms').choices(LEVELS.slice(4)))
    .option('--policy <oid>', 'ICP-Brasil policy to sign under; by default the newest one for the root')
    .addOption(
      new Option('--digest <algorithm>', 'digest (default: sha256, or that of a key that has one alone)').choices([
        'sha256',
        'sha384',
        'sha512',
      ]),
    )
    .option('--detached', 'CAdES, XAdES, JAdES: leave the content outside the signature')
    .option('--pem', 'CAdES: armoured')
    .option('--co-sign', 'CAdES, JAdES, ASiC: add a signature to those in the file')
    .option('--counter-sign', 'CAdES, XAdES: confirm a signature in the file instead of signing the content')
    .option(
      '--signature <which>',
      'the one to confirm: its Id (XAdES; by default the last), its number (CAdES; the first)',
    )
    .option('--role <text>', 'in which role it is signed; may be repeated', collect)
    .option('--commitment <type>', 'such as proof-of-approval, or an object identifier; may be repeated', collect)
    .option('--city <name>', 'where it is signed')
    .option('--state <name>', 'the same')
    .option('--country <code>', 'the same')
    .option(
      '--content-timestamp',
      'CAdES, XAdES, JAdES, PDF: prove with --tsa that the content existed before it was signed',
    )
    .option('--mime-type <type>', 'CAdES, XAdES, JAdES: what the content is, such as application/pdf')
    .option('--description <text>', 'CAdES, XAdES: the same in words')
    .option('--xades-inside', 'ASiC: XAdES signatures in the container instead of CAdES')
    .option('--reason <text>', 'PDF: why it is signed')
    .option('--location <text>', 'PDF: where it is signed')
    .option('--field <name>', 'PDF: signature field to fill or to make')
    .addOption(
      new Option('--permits <changes>', 'PDF: what the first signature says may be changed; by default form-filling')
        .choices(['unsaid', ...CHANGES])
        .conflicts('certify'),
    )
    .addOption(
      new Option('--certify <changes>', 'PDF: the same in the catalog, too; first signature only').choices(CHANGES),
    )
    .option('--pbad', "PDF: ICP-Brasil's own sub-filter, which few readers know")
    .option('--visible', 'PDF: show who signed and when')
    .option(
      '--place <x,y,width,height>',
      'PDF: where, in points from the lower left corner; by default 36,36,220,70, or as the template says',
    )
    .option('--page <page>', 'PDF: page from 1, last or all; by default the first, or as the template says')
    .addOption(
      new Option('--mark <template>', 'PDF: what to show, as a JSON file (the engine has its members)').conflicts([
        'text',
        'image',
        'qr',
      ]),
    )
    .option('--text <line>', 'PDF: text to show instead; may be repeated', collect)
    .option('--image <file>', 'PDF: picture to show (PNG, JPEG)')
    .option('--qr <text>', 'PDF: QR code to show')
    .action(async (paths: string[], options) =>
      (await import('./sign-command.ts')).signCommand(context, paths, options),
    )
}

function addVerify(program: Command, context: CommandContext): void {
  const command = program
    .command('verify')
    .description('Say who signed files, when, and whether to trust it.')
    .argument('<input...>', 'signed files or folders; - is standard input')
  withPathInputs(withPdfPassword(withTrust(command)))
    .option('--content <file>', 'what a detached signature or timestamp is over; by default the file it lies beside')
    .option('--digest <algorithm:hex>', 'a digest of it where it stays elsewhere; may be repeated', collect)
    .option('--policy <file>', 'validation policy (JSON) to judge by, or general or icp-brasil')
    .option('--at <time>', 'judge as of this ISO 8601 time instead of now')
    .addOption(
      new Option('--language <language>', 'of the report; by default that of LANG').choices(['pt-BR', 'en-US']),
    )
    .option('--time-zone <zone>', 'of the times in the report', 'America/Sao_Paulo')
    .addOption(
      new Option('--as <whom>', 'also forecast what the official validator will say, and end with its answer').choices([
        'iti',
      ]),
    )
    .option('--stand-in <file>', 'roots that stand for those of ICP-Brasil in the forecast, of a test PKI', collect)
    .addOption(
      new Option('--color <when>', 'colours; auto: on a terminal, without NO_COLOR')
        .choices(colourChoices)
        .default('auto'),
    )
    .option('--json', 'the whole report as JSON, with the forecast')
    .addOption(
      new Option('--report <kind>', 'instead of words: `etsi`, the XML of ETSI TS 119 102-2; of one file').choices([
        'etsi',
      ]),
    )
    .addHelpText('after', exitCodesHelp)
    .action(async (paths: string[], options) =>
      (await import('./verify-command.ts')).verifyCommand(context, paths, options),
    )
}

function addInspect(program: Command, context: CommandContext): void {
  const command = program
    .command('inspect')
    .description(
      'Show what is in a file: certificate, PKCS#12, CMS, PDF, XML, JWS, ASiC, CRL, OCSP, timestamp. Judges nothing.',
    )
    .argument('<input...>', 'files or folders; - is standard input')
  withPdfPassword(withPassword(command))
    .option('--json', 'as JSON')
    .addHelpText('after', exitCodesHelp)
    .action(async (paths: string[], options) =>
      (await import('./inspect-command.ts')).inspectCommand(context, paths, options),
    )
}

function addTimestamp(program: Command, context: CommandContext): void {
  const command = program
    .command('timestamp')
    .description('Stamp the time on files (.tst beside them), or bring their signatures to a higher level.')
    .argument('<input...>', 'files or folders; - is standard input')
  withPdfPassword(withTimestamps(withTrust(withOutput(command))))
    .addOption(
      new Option('--level <level>', 'level the signatures are brought to, or renewed at').choices(LEVELS_ABOVE),
    )
    .option('--content <file>', 'what a detached signature is over')
    .action(async (paths: string[], options) =>
      (await import('./timestamp-command.ts')).timestampCommand(context, paths, options),
    )
}

function addRepair(program: Command, context: CommandContext): void {
  program
    .command('repair')
    .description('Rewrite a damaged PDF that nobody has signed, so that it can be signed. Look at the result.')
    .argument('<input>', 'file or folder')
    .argument('[output]', 'file or folder for the result; beside the input when absent')
    .option('--force', 'replace files that exist')
    .option('--json', 'results as JSON')
    .addHelpText('after', exitCodesHelp)
    .action(async (path: string, out: string | undefined, options) =>
      (await import('./repair-command.ts')).repairCommand(context, path, out, options),
    )
}

function addEncrypt(program: Command, context: CommandContext): void {
  const command = program
    .command('encrypt')
    .description('Encrypt files (.enc) so that only the holders of some certificates can open them.')
    .argument('<input...>', 'files or folders; - is standard input')
    .requiredOption('--to <certificate>', "file of a recipient's certificate; may be repeated", collect)
    .addOption(
      new Option('--rsa-padding <padding>', 'how RSA recipients get the key')
        .choices(['oaep', 'pkcs1v15'])
        .default('oaep'),
    )
    .option('--allow-expired', 'also to certificates that are not valid now')
  withOutput(command).action(async (paths: string[], options) =>
    (await import('./envelope-commands.ts')).encryptCommand(context, paths, options),
  )
}

function addDecrypt(program: Command, context: CommandContext): void {
  const command = program
    .command('decrypt')
    .description('Open encrypted files.')
    .argument('<input...>', 'files or folders; - is standard input')
    .requiredOption('--pkcs12 <file>', 'key of a recipient')
    .option('--allow-unauthenticated', 'also old envelopes that do not protect their content against changes')
  withPassword(withOutput(command)).action(async (paths: string[], options) =>
    (await import('./envelope-commands.ts')).decryptCommand(context, paths, options),
  )
}

function addTrust(program: Command, context: CommandContext): void {
  const trust = program.command('trust').description('Look after the roots that signatures are judged by.')
  const withFolder = (command: Command) =>
    command
      .addOption(new Option('--folder <folder>', 'where trusted roots and policy lists are kept (default: DATA/trust)'))
      .addOption(dataFolder())
  withFolder(trust.command('list').description('Show what is trusted.'))
    .option('--json', 'as JSON')
    .action(async (options) => (await import('./trust-commands.ts')).listTrust(context, options))
  withFolder(
    trust.command('update').description('Bring in the roots of ICP-Brasil, checked by their known fingerprints.'),
  )
    .option('--file <file>', 'from a file (PEM, DER, PKCS#7, zip) instead of the official address')
    .option('--url <url>', 'from another address')
    .option('--lpa <file>', 'also take in a list of approved policies; may be repeated', collect)
    .action(async (options) => (await import('./trust-commands.ts')).updateTrust(context, options))
  withFolder(trust.command('add').description('Trust the roots in a file, by your own decision.'))
    .argument('<file>')
    .action(async (file: string, options) => (await import('./trust-commands.ts')).addTrust(context, file, options))
}

function addFields(program: Command, context: CommandContext): void {
  const fields = program.command('fields').description('Make and show the signature fields of PDFs.')
  const add = fields
    .command('add')
    .description('Make empty signature fields (.fields.pdf), for others to sign.')
    .argument('<input...>', 'PDF files or folders')
    .option('--name <name>', 'one field of this name')
    .option('--place <x,y,width,height>', 'where, in points from the lower left corner; invisible when absent')
    .option('--page <page>', 'page from 1, or last')
    .option('--fields <file>', 'several, with locks and seed values, from a JSON file (the engine has its members)')
  withOutput(add).action(async (paths: string[], options) =>
    (await import('./fields-commands.ts')).addFieldsCommand(context, paths, options),
  )
  fields
    .command('list')
    .description('Show the signature fields of a PDF, empty and signed, and what they lock and ask for.')
    .argument('<input>', 'a PDF')
    .option('--json', 'as JSON')
    .action(async (path: string, options) =>
      (await import('./fields-commands.ts')).listFieldsCommand(context, path, options),
    )
}
