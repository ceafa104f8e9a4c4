export {
  type Browser,
  browserOf,
  codeOf,
  copyOf,
  crowdOfPasswords,
  enrol,
  newAdministrator,
  PASSWORD,
  refusal,
  signedIn,
} from './browsers.ts'
export { type ActSite, applicationActs, type ConsoleAct, type ConsoleActs, walkConsole } from './console-acts.ts'
export { sentenceProblems } from './event-sentences.ts'
