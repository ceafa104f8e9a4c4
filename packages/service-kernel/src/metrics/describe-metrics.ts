import type { LabelDeclarations, MetricTable } from './metric-table.ts'

/** The reference of a service's metrics in Markdown, one row each. */
export function describeMetrics(table: MetricTable): string {
  const rows = Object.entries(table).map(([name, { type, help, labels = {} }]) => [
    `\`${name}\``,
    type,
    labelsText(labels),
    help,
  ])
  const lines = rows.map((cells) => `| ${cells.map(inCell).join(' | ')} |`)
  return ['| Metric | Type | Labels | Tracks |', '|---|---|---|---|', ...lines, ''].join('\n')
}

const labelsText = (labels: LabelDeclarations): string =>
  Object.entries(labels)
    .map(([label, values]) => (values === 'any' ? label : `${label} (${values.join(', ')})`))
    .join('; ')

const inCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
