import classes from '../../console/parts/parts.module.css'
import { formatTaxId } from '../../shared/format/format-brazilian.ts'

/** A CPF as it is printed. */
export function CpfText({ cpf }: { cpf: string }) {
  return <span className={classes.nowrap}>{formatTaxId(cpf)}</span>
}
