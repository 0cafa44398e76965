"""How pandas-with-index.xlsx was written: pandas 2.2.3 with openpyxl 3.1.5, with the default index column."""
import pandas as pd

people = pd.DataFrame(
    {
        "Full name": ["Priya Nair", "Tom Okafor", "Lena Vogt"],
        "Work email": ["priya@pandas.example", "tom@pandas.example", "lena@pandas.example"],
        "Job title": ["Data Analyst", "Driver", "Planner"],
        "Department": ["Insights", "Fleet", "Operations"],
        "Start date": pd.to_datetime(["2024-02-29", "2023-11-06", None]),
        "Annual salary": [68400.0, 41250.5, None],
    }
)
people.to_excel("pandas-with-index.xlsx", sheet_name="Sheet1")
