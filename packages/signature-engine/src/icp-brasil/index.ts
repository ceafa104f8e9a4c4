// ICP-Brasil, ready to use: whom it trusts, and what its official validator will say.
//
//   const judge = await icpBrasilJudge({ downloads: true })
//   const report = await validatePades(pdf, { judge, now: new Date() })
//   const { outcome, reasons } = officialForecast(pdf, report)
export { type Basis, forecastRules, type Outcome, type Remedy, type Rule, type RuleName } from './forecast-rules.ts'
export { forecastText } from './forecast-text.ts'
export { type IcpBrasilJudge, type IcpBrasilJudgeOptions, icpBrasilJudge } from './icp-brasil-judge.ts'
export { type Forecast, type ForecastOptions, type ForecastReason, officialForecast } from './official-forecast.ts'
export { officialForecastOfPdf, officialForecastOfStream } from './official-forecast-file.ts'
