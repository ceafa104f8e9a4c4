import type { ActionOptions } from './flow-plan.ts'

/** Ways to identify a participant that an action may require and this platform has no means for. */
export const unavailableMethods = {
  requireSmsAuthenticationToSignElectronically: 'SMS',
  requireWhatsappAuthenticationToSignElectronically: 'Whatsapp',
  requireAuthenticatorAppToSignElectronically: 'AuthenticatorApp',
  requireSelfieAuthenticationToSignElectronically: 'Selfie',
  requireDatavalidAuthenticationToSignElectronically: 'Datavalid',
  requirePixAuthenticationToSignElectronically: 'Pix',
  requireLivenessAuthenticationToSignElectronically: 'Liveness',
  requireIdScanAuthenticationToSignElectronically: 'IdScan',
} as const satisfies Partial<Record<keyof ActionOptions, string>>

type MethodOption = keyof typeof unavailableMethods

const methodOptions = Object.keys(unavailableMethods) as readonly MethodOption[]

/** The options of an action that ask for such a way. */
export const unavailableIn = (options: ActionOptions): readonly MethodOption[] =>
  methodOptions.filter((option) => options[option] === true)

/** Whether an electronic signature needs the code sent by e-mail: always, unless the action says otherwise. */
export const needsEmailCode = (options: ActionOptions): boolean =>
  options.allowElectronicSignature === true && options.disableEmailAuthenticationToSignElectronically !== true
