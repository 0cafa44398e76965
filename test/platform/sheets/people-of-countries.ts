/** People of many countries, in lists like those of local companies, and in the usual encodings. */
import { encoded } from './older-encodings.ts';

interface Country {
  encodings: readonly string[];
  header: string;
  departments: readonly string[];
  names: readonly string[];
}

const english = 'name;email;position;department';
const countries: Country[] = [
  { encodings: ['windows-1250', 'iso-8859-2'], header: 'Imię i nazwisko;E-mail;Stanowisko;Dział', departments: ['Księgowość','Sprzedaż','Obsługa klienta','Logistyka','Zarząd'], names: ['Łukasz Wójcik','Małgorzata Kamińska','Paweł Dąbrowski','Agnieszka Zielińska','Grzegorz Brzęczyszczykiewicz','Stanisław Śliwiński','Żaneta Górska','Michał Kowalczyk','Błażej Łęcki','Józef Piłsudski','Anna Nowak','Katarzyna Król'] },
  { encodings: ['windows-1250', 'iso-8859-2'], header: 'Jméno;E-mail;Pozice;Oddělení', departments: ['Účetnictví','Obchod','Vývoj','Lidské zdroje'], names: ['Jiří Dvořák','Tomáš Černý','Kateřina Procházková','Zdeněk Růžička','Věra Svobodová','Ondřej Šťastný','Markéta Křížová','Lukáš Jelínek','Jana Nováková','Petr Novák'] },
  { encodings: ['windows-1250', 'iso-8859-2'], header: 'Név;E-mail;Beosztás;Osztály', departments: ['Könyvelés','Értékesítés','Fejlesztés'], names: ['Nagy László','Kovács Ágnes','Szűcs Győző','Tóth Erzsébet','Szabó István','Horváth Ödön','Kőszegi Dezső','Varga Zsófia','Kiss Péter'] },
  { encodings: ['windows-1250'], header: 'Nume;E-mail;Funcţie;Departament', departments: ['Vânzări','Contabilitate','Dezvoltare'], names: ['Ştefan Ionescu','Mihăiţă Popescu','Ioana Băsescu','Răzvan Ţiriac','Călin Pădurariu','Ana Popa','Cătălina Mureşan'] },
  { encodings: ['windows-1250', 'iso-8859-2'], header: 'Ime i prezime;E-mail;Radno mjesto;Odjel', departments: ['Računovodstvo','Prodaja','Razvoj'], names: ['Željko Šarić','Đorđe Jurić','Ćiro Blažević','Marija Kovačević','Ivan Horvat','Ana Babić','Luka Modrić','Zvonimir Župan'] },
  { encodings: ['windows-1251', 'koi8-r', 'iso-8859-5', 'ibm866', 'x-mac-cyrillic'], header: 'Имя;Почта;Должность;Отдел', departments: ['Бухгалтерия','Продажи','Разработка'], names: ['Иван Петров','Мария Смирнова','Дмитрий Кузнецов','Екатерина Щербакова','Юрий Гагарин','Алёна Фёдорова','Сергей Соколов'] },
  { encodings: ['windows-1251'], header: "Ім'я;Пошта;Посада;Відділ", departments: ['Бухгалтерія','Продажі','Розробка'], names: ['Олександр Шевченко','Наталія Ткаченко','Андрій Коваленко','Їван Ющенко','Євгенія Бойко','Ґалаґан Степан'] },
  { encodings: ['windows-1251'], header: 'Име;Имейл;Длъжност;Отдел', departments: ['Счетоводство','Продажби','Разработка'], names: ['Иван Иванов','Мария Георгиева','Димитър Петров','Божидар Щерев','Ралица Ангелова'] },
  { encodings: ['windows-1252', 'macintosh'], header: 'Nome;E-mail;Cargo;Departamento', departments: ['Operações','Finanças','Recursos Humanos'], names: ['João Nogueira','Conceição Araújo','José Gonçalves','Antônio Magalhães','Inês Simões','Luís Falcão','Marta Muñoz','Ana Paula','Thaís Brandão'] },
  { encodings: ['windows-1252', 'macintosh'], header: 'Name;E-Mail;Stelle;Abteilung', departments: ['Buchführung','Geschäftsführung','Vertrieb'], names: ['Jürgen Müller','Björn Groß','Käthe Schäfer','Jörg Weiß','Günther Höß','Anna Schmidt','Ursula Köhler','Max Mustermann'] },
  { encodings: ['windows-1252', 'iso-8859-15', 'macintosh'], header: 'Nom;Courriel;Poste;Service', departments: ['Comptabilité','Développement','Siège'], names: ['François Lefèvre','Hélène Gaëlle','Zoé Béranger','Jérôme Noël','Maïté Brûlé','Cécile Dupré','Jean Martin','Chloë Françoise'] },
  { encodings: ['windows-1252', 'macintosh'], header: 'Nombre;Correo;Puesto;Departamento', departments: ['Administración','Logística','Dirección'], names: ['José Núñez','María Peña','Iñigo Ibáñez','Óscar Muñoz','Begoña Gómez','Ángel Pérez','Raúl Zúñiga','Carlos Ruiz'] },
  { encodings: ['windows-1252', 'macintosh'], header: 'Namn;E-post;Befattning;Avdelning', departments: ['Försäljning','Utveckling'], names: ['Åsa Lindström','Göran Sjöberg','Örjan Håkansson','Märta Älvsåker','Björn Borg','Anna Karlsson'] },
  { encodings: ['windows-1252', 'macintosh'], header: 'Navn;E-mail;Stilling;Afdeling', departments: ['Økonomi','Salg'], names: ['Søren Kjærgård','Jørgen Ærø','Åse Bjørk','Mette Sørensen','Lærke Nielsen'] },
  { encodings: ['windows-1254'], header: 'Ad Soyad;E-posta;Görev;Bölüm', departments: ['Muhasebe','Satış','Yazılım Geliştirme'], names: ['Ayşe Yılmaz','Çağrı Öztürk','İbrahim Şahin','Gökhan Güneş','Ümit Doğan','Mehmet Kaya','Işıl Aydın'] },
  { encodings: ['windows-1253', 'iso-8859-7'], header: 'Όνομα;Email;Θέση;Τμήμα', departments: ['Λογιστήριο','Πωλήσεις'], names: ['Γιώργος Παπαδόπουλος','Μαρία Νικολάου','Ελένη Αγγελοπούλου','Κώστας Δημητρίου','Ευάγγελος Χατζής'] },
  { encodings: ['windows-1257', 'iso-8859-13'], header: 'Vardas;El. paštas;Pareigos;Skyrius', departments: ['Buhalterija','Pardavimų'], names: ['Rūta Kazlauskienė','Žydrūnas Šimkus','Česlovas Jankauskas','Eglė Petrauskaitė','Ąžuolas Įžas','Jonas Jonaitis'] },
  { encodings: ['shift_jis'], header: '氏名;メール;役職;部署', departments: ['営業部','開発部','人事部'], names: ['田中 愛子','佐藤 健一','鈴木 美咲','高橋 大輔','渡辺 さくら','山本 太郎','中村 ゆうき','表 能登'] },
  { encodings: ['gbk'], header: '姓名;邮箱;职位;部门', departments: ['销售部','研发部','人力资源'], names: ['王伟','李娜','张敏','刘洋','陈静','杨帆','赵磊','黄丽'] },
  { encodings: ['euc-kr'], header: '이름;이메일;직위;부서', departments: ['영업부','개발부'], names: ['김민수','이서연','박지훈','최유진','정하늘','강다은'] },
  { encodings: ['windows-1252', 'macintosh'], header: english, departments: ['Qualità','Vendite'], names: ['Niccolò Città','Forlì Però','Giosuè Carducci','Mario Rossi','Università Più'] },
  { encodings: ['windows-1252', 'macintosh'], header: english, departments: ['Financiën','Verkoop'], names: ['Renée van Dijk','Zoë de Boer','Daniël Jansen','Jan Pieters','Coördinatie Één'] },
  { encodings: ['windows-1252', 'macintosh'], header: english, departments: ['Økonomi','Salg'], names: ['Bjørn Dæhli','Håkon Mæland','Åse Kleveland','Øyvind Sørli'] },
  { encodings: ['windows-1252'], header: english, departments: ['Bókhald','Sala'], names: ['Guðrún Þórðardóttir','Sigurður Ævarsson','Ólafur Björnsson','Þóra Hallgrímsdóttir'] },
  { encodings: ['windows-1252'], header: english, departments: ['Myynti','Kirjanpito'], names: ['Päivi Räikkönen','Väinö Mäkelä','Jyrki Hämäläinen','Matti Virtanen'] },
  { encodings: ['windows-1257'], header: english, departments: ['Müük','Raamatupidamine'], names: ['Õnne Pärn','Jüri Mõis','Ülle Šmigun','Kõiv Žanna'] },
  { encodings: ['windows-1257'], header: english, departments: ['Grāmatvedība'], names: ['Jānis Bērziņš','Līga Ozoliņa','Kārlis Ķēniņš','Ģirts Žagars'] },
  { encodings: ['windows-1250', 'iso-8859-2'], header: english, departments: ['Účtovníctvo','Predaj'], names: ['Ľubomír Hruška','Zuzana Čaputová','Jozef Štefánik','Mária Kováčová'] },
  { encodings: ['windows-1250', 'iso-8859-2'], header: english, departments: ['Prodaja','Računovodstvo'], names: ['Luka Dončić','Žiga Čeferin','Miha Šalehar','Ana Zupančič'] },
  { encodings: ['windows-1252'], header: english, departments: ['OPERAÇÕES','FINANÇAS'], names: ['JOÃO GONÇALVES','CONCEIÇÃO ARAÚJO','JOSÉ MAGALHÃES','ANTÔNIO'] },
  { encodings: ['windows-1252'], header: english, departments: ['Contaduría','Ventas'], names: ['Sofía Hernández','Andrés López','Peña Nieto Enrique','Begoña Ibáñez','Martín Cárdenas','Jesús Ordóñez'] },
  { encodings: ['windows-1250'], header: english, departments: ['KSIĘGOWOŚĆ'], names: ['ŁUKASZ WÓJCIK','MAŁGORZATA ŻÓŁĆ','PAWEŁ DĄBROWSKI'] },
  { encodings: ['windows-1251'], header: english, departments: ['Продаја'], names: ['Ђорђе Петровић','Љубица Њежић','Милош Обилић','Јован Јовановић'] },
  { encodings: ['windows-1255'], header: english, departments: ['מכירות','כספים'], names: ['משה כהן','שרה לוי','דוד מזרחי','יעל אברהם'] },
  { encodings: ['windows-1256'], header: english, departments: ['المبيعات','المالية'], names: ['محمد علي','فاطمة حسن','أحمد إبراهيم','خالد سعيد'] },
  { encodings: ['windows-874'], header: english, departments: ['บัญชี','ขาย'], names: ['สมชาย ใจดี','สมหญิง รักไทย','ประเสริฐ ทองดี'] },
  { encodings: ['windows-1252', 'macintosh'], header: english, departments: ['Sales – EU','R&D'], names: ['Sinéad O’Connor','Chloë Smith','Zoë O’Brien','John Doe','Renée – Jones'] },
  { encodings: ['windows-1252'], header: english, departments: ['Operações','Geschäftsführung','Développement'], names: ['João Gonçalves','Jürgen Müller','Søren Kjær','François Lefèvre','María Peña','Ana Paula','Åsa Öberg'] },
  { encodings: ['shift_jis'], header: english, departments: ['総務部','IT部','経理'], names: ['斎藤 ﾊﾅｺ','高橋　一郎','小林 ひろみ','加藤 ソニア'] },
  { encodings: ['gbk'], header: english, departments: ['财务部','IT部'], names: ['欧阳娜娜','司马光','诸葛亮','李小龙','邓紫棋'] },
  { encodings: ['big5'], header: english, departments: ['財務部','資訊部'], names: ['歐陽娜娜','周杰倫','蔡英文','林志玲'] },
  { encodings: ['euc-kr'], header: english, departments: ['인사부','재무'], names: ['홍길동','이순신','유관순','안중근','남궁민'] },
]; // biome-ignore format: a table

interface PeopleFile {
  text: string;
  encoding: string;
  bytes: Buffer;
}

/** @param count people per file @returns a file in each encoding of each country, with its own and English headers */
export function* peopleFiles(count: number): Generator<PeopleFile> {
  let turn = 0; // so that no two files have the same people
  for (const { encodings, header, departments, names } of countries) {
    for (const encoding of encodings) {
      for (const head of new Set([header, english])) {
        const rows = Array.from({ length: count }, (_, at) => {
          const department = head === english ? 'Sales' : departments[(turn + at) % departments.length];
          return `${names[(turn + at) % names.length]};person${at}@company.example;Analyst;${department}`;
        });
        turn++;
        const text = `${[head, ...rows].join('\r\n')}\r\n`;
        const bytes = encoded(text, encoding);
        if (bytes.length === text.length && bytes.equals(Buffer.from(text))) continue; // happens to be ASCII
        yield { text, encoding, bytes };
      }
    }
  }
}
