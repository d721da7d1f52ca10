/** A file in the daily format of the European Central Bank. */
export function ecbFile(day: string, rates: Readonly<Record<string, number | undefined>>): string {
  const lines = Object.entries(rates).flatMap(([currency, rate]) =>
    rate === undefined ? [] : [`\t\t\t<Cube currency='${currency}' rate='${rate}'/>`],
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<Cube>
\t\t<Cube time='${day}'>
${lines.join('\n')}
\t\t</Cube>
\t</Cube>
</gesmes:Envelope>
`
}
