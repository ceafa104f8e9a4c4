import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import classes from './parts.module.css'

/** A CPF as it is printed. */
export function CpfText({ cpf }: { cpf: string }) {
  return <span className={classes.nowrap}>{formatTaxId(cpf)}</span>
}
