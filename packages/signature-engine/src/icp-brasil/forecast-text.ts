import { requireArguments } from '../errors/arguments.ts'
import type { Language } from '../report/text.ts'
import { withoutUnseen } from '../text/index.ts'
import { forecastTexts } from './forecast-texts.ts'
import type { Forecast, ForecastReason } from './official-forecast.ts'

/** The forecast for a person: the answer, then each reason with its signature, place, source and remedy. */
export function forecastText(forecast: Forecast, language: Language): string {
  requireArguments('forecastText', { reasons: [forecast?.reasons, 'list'], language: [language, 'text'] })
  const { outcomes, disclaimer } = forecastTexts[language]
  const lines = forecast.reasons.map((reason) => withoutUnseen(reasonText(reason, language), '\ufffd'))
  return [outcomes[forecast.outcome], ...lines, disclaimer].join('\n')
}

/** One reason in one line; `•` is a remark, which changes nothing. */
function reasonText(reason: ForecastReason, language: Language): string {
  const { rules, remedies, inferred } = forecastTexts[language]
  const { rule, outcome, signature, place, source, basis, remedy, details } = reason
  const mark = { aprovada: '•', indeterminada: '?', reprovada: '✘' }[outcome]
  const found = Object.values(details ?? {}).join(', ')
  const origin = [rule, source, ...(basis === 'inferred' ? [inferred] : [])].join('; ')
  const where = [signature, place].filter((part) => part !== null && part !== '—').join(', ')
  return `  ${mark} ${rules[rule]}${found && ` (${found})`}${where && ` [${where}]`} ${remedies[remedy]} {${origin}}`
}
