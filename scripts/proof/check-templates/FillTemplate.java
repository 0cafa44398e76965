import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import org.apache.poi.ss.usermodel.Cell;
import org.apache.poi.ss.usermodel.CellStyle;
import org.apache.poi.ss.usermodel.Row;
import org.apache.poi.ss.usermodel.Sheet;
import org.apache.poi.ss.usermodel.Workbook;
import org.apache.poi.ss.usermodel.WorkbookFactory;

/** Fills in a template: java FillTemplate.java <template> <filling: one cell per line, tab-separated> <target>. */
public class FillTemplate {
  public static void main(String[] args) throws Exception {
    try (Workbook book = WorkbookFactory.create(new FileInputStream(args[0]))) {
      Sheet sheet = book.getSheetAt(0);
      for (String line : Files.readAllLines(Path.of(args[1]))) {
        String[] parts = line.split("\t", 4);
        int row = Integer.parseInt(parts[0]);
        int column = Integer.parseInt(parts[1]);
        Row cells = sheet.getRow(row) == null ? sheet.createRow(row) : sheet.getRow(row);
        Cell cell = cells.createCell(column);
        CellStyle style = sheet.getColumnStyle(column); // a new cell does not inherit it
        if (style != null) cell.setCellStyle(style);
        switch (parts[2]) {
          case "date" -> cell.setCellValue(LocalDate.parse(parts[3]));
          case "number" -> cell.setCellValue(Double.parseDouble(parts[3]));
          default -> cell.setCellValue(parts[3]);
        }
      }
      try (FileOutputStream out = new FileOutputStream(args[2])) {
        book.write(out);
      }
    }
  }
}
