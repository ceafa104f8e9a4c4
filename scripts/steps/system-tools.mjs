import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { quietly } from './run-command.mjs'
import { Hindrance } from './say.mjs'

/** Third-party programs of the tests and benchmarks, and the Debian package of each. */
const systemTools = {
  openssl: { package: 'openssl', why: 'judges certificates, CRLs, OCSP answers, timestamps and PKCS#12 files' },
  'chromium-headless-shell': { package: 'chromium-headless-shell', why: 'opens the pages as a person would' },
  pdfsig: { package: 'poppler-utils', why: 'judges the signatures of PDF files' },
  pdftotext: { package: 'poppler-utils', why: 'reads the visible marks of PDF files' },
  qpdf: { package: 'qpdf', why: 'judges the structure of PDF files, and makes files of every kind' },
  xmlsec1: { package: 'xmlsec1', why: 'judges XML signatures' },
  xmllint: { package: 'libxml2-utils', why: 'judges canonical XML' },
  sqlite3: { package: 'sqlite3', why: 'judges backups of the embedded store' },
  curl: { package: 'curl', why: 'uploads and downloads as integrators do' },
  unzip: { package: 'unzip', why: 'judges archives' },
  zip: { package: 'zip', why: 'makes archives as others do' },
  perl: { package: 'perl-base', why: 'holds a file under a lease, as file servers do' },
  python3: { package: 'python3-minimal', why: 'holds files open and locked, as other programs do' },
  'systemd-analyze': { package: 'systemd', why: 'judges the unit files' },
  gio: { package: 'libglib2.0-bin', why: 'starts programs as desktops do' },
  setpriv: { package: 'util-linux', why: 'runs a service with the rights of its unit' },
  unshare: { package: 'util-linux', why: 'gives a program a root of its own' },
  script: { package: 'bsdutils', why: 'gives a program a terminal' },
  faketime: { package: 'faketime', why: 'lets the clock of one process jump' },
  prlimit: { package: 'util-linux', why: 'takes file descriptors away from a process' },
  'softhsm2-util': { package: 'softhsm2', why: 'is a PKCS#11 token' },
  java: { package: 'default-jre-headless', why: 'runs the validator of PDF/A' },
  wrk: { package: 'wrk', why: 'loads the HTTP benchmarks' },
  taskset: { package: 'util-linux', why: 'keeps a benchmark on one core' },
}

/** What will do where nothing can be installed. The shell is preferred: the same engine at less than half the cost.
 * @type {Partial<Record<keyof typeof systemTools, string>>} */
const substitutes = { 'chromium-headless-shell': 'chromium' }

/** Makes sure the named programs are installed: through apt when root on Debian, else fails with a clear list.
 * @param {ReadonlyArray<keyof typeof systemTools>} names */
export async function ensureSystemTools(names) {
  const missing = names.filter((name) => !isOnPath(name))
  const needed = missing.filter((name) => !hasSubstitute(name))
  if (canInstall()) await install(missing, needed)
  else if (needed.length > 0) throw new Hindrance(wishList(needed))
}

/** What has a substitute is installed on the way; that alone is no reason to fail.
 * @param {ReadonlyArray<keyof typeof systemTools>} missing @param {ReadonlyArray<keyof typeof systemTools>} needed */
async function install(missing, needed) {
  if (missing.length === 0) return
  try {
    await installPackages(packagesOf(missing))
  } catch (error) {
    if (needed.length > 0) throw error
    console.log(`Goes on with ${missing.map((name) => substitutes[name]).join(', ')}.`)
  }
}

/** @param {readonly string[]} packages */
async function installPackages(packages) {
  const apt = { env: { DEBIAN_FRONTEND: 'noninteractive' } }
  await quietly('Reading the package lists', 'apt-get', ['update', '-qq'], apt)
  const args = ['install', '-y', '-qq', '--no-install-recommends', ...packages]
  await quietly(`Installing ${packages.join(', ')} (system tools the tests use)`, 'apt-get', args, apt)
}

/** @param {ReadonlyArray<keyof typeof systemTools>} names */
const packagesOf = (names) => [...new Set(names.map((name) => systemTools[name].package))]

/** @param {keyof typeof systemTools} name */
const hasSubstitute = (name) => isOnPath(substitutes[name] ?? name)

const canInstall = () => process.getuid?.() === 0 && isOnPath('apt-get')

/** @param {ReadonlyArray<keyof typeof systemTools>} missing */
function wishList(missing) {
  const lines = missing.map((name) => `  ${name}: ${systemTools[name].why}`)
  return `These programs are missing:\n${lines.join('\n')}\nInstall them, on Debian with: apt-get install ${packagesOf(missing).join(' ')}`
}

/** @param {string} name */
function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false // missing or not executable: the next folder may have it
    }
  })
}
