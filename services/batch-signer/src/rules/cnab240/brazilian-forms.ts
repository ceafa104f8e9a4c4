/** Centavos as people write reais: `R$ 1.234,56`. Written out because Intl puts a no-break space after `R$`. */
export function formatReais(centavos: number): string {
  const digits = String(centavos).padStart(3, '0')
  const reais = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.')
  return `R$ ${reais},${digits.slice(-2)}`
}

/** `yyyy-MM-dd` as `dd/MM/yyyy`. */
export const formatDate = (isoDate: string): string => isoDate.split('-').reverse().join('/')
