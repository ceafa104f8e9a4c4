import { readSignedDataStream } from '../cades/streamed-signed-data.ts'
import { requireArguments } from '../errors/arguments.ts'
import { type PdfPlace, withSource } from '../pades/pades-files.ts'
import type { ValidationReport } from '../report/report.ts'
import { type Forecast, type ForecastOptions, forecastBy, rulesOfSigner } from './official-forecast.ts'
import { pdfRules } from './pdf-rules.ts'

/** The forecast for a PDF of any size, by the same rules: of the file only what they look at is read. */
export async function officialForecastOfPdf(
  document: PdfPlace,
  report: ValidationReport,
  options: ForecastOptions = {},
): Promise<Forecast> {
  const args = { document: [document, 'place'], report: [report, 'report'] } as const
  requireArguments('officialForecastOfPdf', args, options)
  const { password } = options
  return withSource(document, async (source) =>
    forecastBy((signature) => pdfRules(source, signature, password), report, options),
  )
}

/** The forecast for a CMS of any size, by the same rules: its content passes and is not kept. */
export async function officialForecastOfStream(
  source: AsyncIterable<Uint8Array>,
  report: ValidationReport,
  options: ForecastOptions = {},
): Promise<Forecast> {
  const args = { source: [source, 'stream'], report: [report, 'report'] } as const
  requireArguments('officialForecastOfStream', args, options)
  const { signedData } = await readSignedDataStream(source)
  return forecastBy((_, at) => rulesOfSigner(signedData, at), report, options)
}
